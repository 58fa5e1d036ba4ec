"use strict";
(() => {
  const body = document.body;
  const said = document.getElementById("said");
  body.classList.add("script");

  // "K1:R2,R3 K2:R1" to a map of lists.
  const parsed = new WeakMap();
  const links = (text, name) => {
    const known = parsed.get(text) || {};
    if (!known[name]) {
      known[name] = new Map((text.dataset[name] || "").split(" ").filter(Boolean).map((pair) => {
        const [one, others] = pair.split(":");
        return [one, others.split(",")];
      }));
      parsed.set(text, known);
    }
    return known[name];
  };

  // What is chosen above becomes classes of the page.
  const choose = () => {
    document.querySelectorAll(".toolbar input").forEach((input) => body.classList.toggle(input.id, input.checked));
  };
  document.querySelector(".toolbar").addEventListener("change", choose);
  choose();

  // Entities are lit in both texts when one of their mentions is pointed at or focused.
  let lit = [];
  let focused = null;
  const clear = () => {
    lit.forEach((mark) => mark.classList.remove("lit", "near", "element"));
    lit = [];
    if (said.textContent) said.textContent = "";
  };
  const paint = (text, entity, name) => {
    const found = [...text.querySelectorAll(`mark[data-e="${CSS.escape(entity)}"]`)];
    found.forEach((mark) => mark.classList.add(name));
    lit.push(...found);
    const mentions = found.filter((mark) => !mark.classList.contains("again")).length;
    return mentions === 1 ? "1 mention" : `${mentions} mentions`;
  };
  const light = (mark) => {
    clear();
    const text = mark.closest("table.text");
    const entity = mark.dataset.e;
    const parts = [`${entity}: ${paint(text, entity, "lit")}`];
    const [partner, ...others] = links(text, "pairs").get(entity) || [];
    parts.push(partner ? `shares most with ${partner} (${paint(text, partner, "lit")})` : "shares no mention");
    others.forEach((other) => paint(text, other, "near"));
    if (others.length) parts.push(`also with ${others.join(", ")}`);
    const elements = [entity, partner].flatMap((one) => links(text, "elements").get(one) || []);
    elements.forEach((element) => paint(text, element, "element"));
    if (elements.length) parts.push(`elements ${elements.join(", ")}`);
    said.textContent = parts.join("; ");
  };
  let pointed = null;
  body.addEventListener("mouseover", (event) => {
    const mark = event.target.closest("table.text mark:not(.d):not(.b)");
    if (mark === pointed) return;
    pointed = mark;
    if (mark) light(mark);
    else if (focused) light(focused);
    else clear();
  });

  // In each text one mention can be reached by the tab key, the others from there by arrows.
  const marks = (text) => [...text.querySelectorAll("mark:not(.again):not(.d):not(.b)")];
  const reachable = (text, mark) => {
    text.querySelectorAll("mark[tabindex]").forEach((old) => old.removeAttribute("tabindex"));
    mark.tabIndex = 0;
  };
  const prepare = (details) => details.querySelectorAll("table.text").forEach((text) => {
    const [first] = marks(text);
    if (first && !text.querySelector("mark[tabindex]")) reachable(text, first);
  });
  document.querySelectorAll("details.document").forEach((details) => {
    details.addEventListener("toggle", () => details.open && prepare(details));
  });
  body.addEventListener("focusin", (event) => {
    focused = event.target.matches("table.text mark") ? event.target : null;
    if (focused) light(focused);
  });
  body.addEventListener("focusout", () => { focused = null; });

  // Enter leads from a mention to the working of its entity, Escape back.
  let left = null;
  const unfold = (target) => {
    for (let one = target; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
  };
  const work = (text, mark) => {
    const row = document.getElementById(text.dataset.place + mark.dataset.e);
    if (!row) return;
    unfold(row);
    left = mark;
    row.tabIndex = -1;
    row.focus();
  };
  body.addEventListener("keydown", (event) => {
    const mark = event.target.closest("table.text mark");
    if (!mark) {
      if (event.key === "Escape" && left && event.target.matches("tr")) left.focus();
      return;
    }
    const text = mark.closest("table.text");
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      const all = marks(text);
      const next = all[all.indexOf(mark) + (event.key === "ArrowRight" ? 1 : -1)];
      if (!next) return;
      event.preventDefault();
      reachable(text, next);
      next.focus();
    } else if (event.key === "Enter") {
      work(text, mark);
    } else if (event.key === "Escape") {
      mark.blur();
      clear();
    }
  });

  // Tables are sorted by their headings.
  const value = (row, column) => row.cells[column].textContent.trim();
  const sort = (head, button) => {
    const table = head.closest("table");
    const column = head.cellIndex;
    const down = head.getAttribute("aria-sort") === "ascending";
    table.querySelectorAll("th[aria-sort]").forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const rows = [...table.tBodies[0].rows].map((row) => [value(row, column), row]);
    const numbers = rows.every(([text]) => text === "-" || !Number.isNaN(Number(text)));
    const order = (a, b) => (numbers ? (a === "-") - (b === "-") || Number(a) - Number(b) : a.localeCompare(b));
    rows.sort(([a], [b]) => (down ? order(b, a) : order(a, b)));
    table.tBodies[0].append(...rows.map(([, row]) => row));
    button.focus();
  };
  document.querySelectorAll("th[data-sort]").forEach((head) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(head, button));
  });

  // Filters hide rows.
  const chosen = (name) => (document.getElementById(name) || {}).value || "";
  const filter = (table, keeps) => {
    if (!table) return;
    for (const row of table.tBodies[0].rows) row.hidden = !keeps(row);
  };
  const filters = () => {
    const words = chosen("filter-text").toLowerCase();
    const [type, unlike] = ["type", "unlike"].map((name) => chosen(`filter-${name}`));
    filter(document.getElementById("error-list"), (row) =>
      (!type || row.dataset.type === type)
      && (!unlike || row.dataset.unlike.split(" ").includes(unlike))
      && (!words || row.textContent.toLowerCase().includes(words)));
    const name = chosen("filter-document").toLowerCase();
    const best = chosen("filter-best");
    filter(document.getElementById("document-list"), (row) =>
      (!name || value(row, 0).toLowerCase().includes(name))
      && (!best || row.dataset.best.split(" ").includes(best)));
    document.querySelectorAll("#document-list tbody tr").forEach((row) => {
      const view = document.getElementById(row.dataset.place);
      if (view) view.hidden = row.hidden;
    });
  };
  document.querySelectorAll(".filters").forEach((form) => {
    form.addEventListener("input", filters);
    form.addEventListener("submit", (event) => event.preventDefault());
  });

  // All is printed, also what is folded.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    opened.forEach((details) => { details.open = true; });
  });
  addEventListener("afterprint", () => opened.forEach((details) => { details.open = false; }));

  // A link leads into what is folded, and to a system that is not shown.
  const open = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (!target) return;
    const of = target.closest("[data-s]");
    const button = of && document.getElementById(`system-${of.dataset.s}`);
    if (button && !of.checkVisibility() && !document.getElementById("system-all").checked) {
      button.checked = true;
      choose();
    }
    unfold(target);
    target.scrollIntoView();
  };
  addEventListener("hashchange", open);
  open();
})();
