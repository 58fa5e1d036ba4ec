"use strict";
// Parts of every page: choices, tables that are sorted and filtered, printing.
const anascore = (() => {
  const body = document.body;
  body.classList.add("script");

  // Unpacks a block of data: base64, deflated JSON.
  const unpack = async (name) => {
    const bytes = Uint8Array.from(atob(document.getElementById(name).textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  };

  // Systems that are not chosen disappear from tables and charts.
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [sheet];
  const boxes = [...document.querySelectorAll("input[name=system]")];
  const chosen = () => boxes.filter((box) => box.checked).map((box) => Number(box.value));
  const listeners = [];
  const applySystems = () => {
    if (!chosen().length) boxes.forEach((box) => { box.checked = true; });
    sheet.replaceSync(boxes.filter((box) => !box.checked)
      .map((box) => `main [data-s="${box.value}"] { display: none !important; }`).join("\n"));
    const summary = document.querySelector(".systems summary");
    if (!summary) return;
    const number = chosen().length < boxes.length ? ` (${chosen().length} of ${boxes.length})` : "";
    summary.textContent = `${summary.dataset.label}${number}`;
  };
  const choose = (systems) => {
    boxes.forEach((box) => { box.checked = !systems || systems.includes(Number(box.value)); });
    applySystems();
  };
  boxes.forEach((box) => box.addEventListener("change", () => {
    applySystems();
    listeners.forEach((listener) => listener());
  }));
  applySystems();
  document.querySelectorAll(".choices").forEach((form) => form.addEventListener("submit", (event) => event.preventDefault()));
  const menu = document.querySelector(".systems");
  document.addEventListener("click", (event) => {
    if (menu && menu.open && !menu.contains(event.target)) menu.open = false;
  });

  // Details of numbers are shown on demand: recall and precision, intervals, fractions.
  document.querySelectorAll("[data-show]").forEach((box) => {
    const name = `show-${box.dataset.show}`;
    box.checked = body.classList.contains(name);
    box.addEventListener("change", () => {
      body.classList.toggle(name, box.checked);
      document.querySelectorAll(`[data-show="${box.dataset.show}"]`).forEach((other) => { other.checked = box.checked; });
    });
  });

  // Tables are sorted by their headings. Cells with formatted numbers have the value itself.
  const value = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.value || cell.firstChild.textContent.trim();
  };
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
  const field = (name) => (document.getElementById(name) || {}).value || "";
  const filter = (table, keeps) => {
    if (!table) return;
    for (const row of table.tBodies[0].rows) row.hidden = !keeps(row);
  };
  const applyFilters = () => {
    const words = field("filter-text").toLowerCase();
    const [type, unlike] = ["type", "unlike"].map((name) => field(`filter-${name}`));
    filter(document.getElementById("error-list"), (row) =>
      (!type || row.dataset.type === type)
      && (!unlike || row.dataset.unlike.split(" ").includes(unlike))
      && (!words || row.textContent.toLowerCase().includes(words)));
    const name = field("filter-document").toLowerCase();
    const best = field("filter-best");
    filter(document.getElementById("document-list"), (row) =>
      (!name || value(row, 0).toLowerCase().includes(name))
      && (!best || row.dataset.best.split(" ").includes(best)));
  };
  document.querySelectorAll(".filters").forEach((form) => {
    form.addEventListener("input", applyFilters);
    form.addEventListener("submit", (event) => event.preventDefault());
  });
  // A type of error on the first screen leads to its list.
  document.querySelectorAll("a[data-type]").forEach((link) => link.addEventListener("click", () => {
    const select = document.getElementById("filter-type");
    select.value = link.dataset.type;
    applyFilters();
    select.closest("details").open = true;
  }));

  // The bar shows the section that is read.
  const links = new Map([...document.querySelectorAll(".bar nav a")].map((link) => [link.hash.slice(1), link]));
  const watcher = new IntersectionObserver((entries) => entries.forEach((entry) => {
    if (!entry.isIntersecting) return;
    links.forEach((link) => link.removeAttribute("aria-current"));
    links.get(entry.target.id).setAttribute("aria-current", "true");
  }), { rootMargin: "-30% 0px -65% 0px" });
  links.forEach((link, name) => watcher.observe(document.getElementById(name)));

  // All is printed, also what is folded.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("main details:not([open])")];
    opened.forEach((details) => { details.open = true; });
  });
  addEventListener("afterprint", () => opened.forEach((details) => { details.open = false; }));

  return { unpack, chosen, choose, onChoice: (listener) => listeners.push(listener) };
})();
