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

  // Entities are lit in both texts when one of their mentions is pointed at or focused.
  const lit = () => document.querySelectorAll("mark.lit, mark.near, mark.element");
  const clear = () => {
    lit().forEach((mark) => mark.classList.remove("lit", "near", "element"));
    said.textContent = "";
  };
  const paint = (text, entity, name) => {
    const found = text.querySelectorAll(`mark[data-e="${CSS.escape(entity)}"]`);
    found.forEach((mark) => mark.classList.add(name));
    return found;
  };
  const light = (mark) => {
    clear();
    const text = mark.closest("table.text");
    if (!text) return;
    const entity = mark.dataset.e;
    const own = paint(text, entity, "lit");
    const [partner, ...others] = links(text, "pairs").get(entity) || [];
    const pairs = partner ? paint(text, partner, "lit") : [];
    others.forEach((other) => paint(text, other, "near"));
    const elements = [entity, partner].flatMap((one) => links(text, "elements").get(one) || []);
    elements.forEach((element) => paint(text, element, "element"));
    const mentions = (found) => (found.length === 1 ? "1 mention" : `${found.length} mentions`);
    const parts = [`${entity}: ${mentions(own)}`];
    parts.push(partner ? `shares most with ${partner} (${mentions(pairs)})` : "shares no mention");
    if (others.length) parts.push(`also with ${others.join(", ")}`);
    if (elements.length) parts.push(`elements ${elements.join(", ")}`);
    said.textContent = parts.join("; ");
  };
  body.addEventListener("mouseover", (event) => {
    const mark = event.target.closest("table.text mark:not(.d):not(.b)");
    if (mark) light(mark);
    else if (!body.matches(":has(mark:focus)")) clear();
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
    if (event.target.matches("table.text mark")) light(event.target);
  });
  body.addEventListener("keydown", (event) => {
    const mark = event.target.closest("table.text mark");
    if (!mark) return;
    const text = mark.closest("table.text");
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      const all = marks(text);
      const next = all[all.indexOf(mark) + (event.key === "ArrowRight" ? 1 : -1)];
      if (!next) return;
      event.preventDefault();
      reachable(text, next);
      next.focus();
    } else if (event.key === "Enter") {
      const row = document.getElementById(text.dataset.place + mark.dataset.e);
      if (row) location.hash = row.id;
    } else if (event.key === "Escape") {
      mark.blur();
      clear();
    }
  });

  // A link leads into what is folded.
  const open = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let one = target; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", open);
  open();

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
    const [type, system, unlike] = ["type", "system", "unlike"].map((name) => chosen(`filter-${name}`));
    filter(document.getElementById("error-list"), (row) =>
      (!type || row.dataset.type === type) && (!system || row.dataset.s === system)
      && (!unlike || row.dataset.unlike.split(" ").includes(unlike))
      && (!words || row.textContent.toLowerCase().includes(words)));
    const name = chosen("filter-document").toLowerCase();
    const best = chosen("filter-best");
    filter(document.getElementById("document-list"), (row) =>
      (!name || value(row, 0).toLowerCase().includes(name))
      && (!best || row.dataset.best.split(" ").includes(best)));
  };
  document.querySelectorAll(".filters").forEach((form) => {
    form.addEventListener("input", filters);
    form.addEventListener("submit", (event) => event.preventDefault());
  });
})();
