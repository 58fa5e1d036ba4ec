// The viewer: texts in columns, aligned line by line. Text is only ever set as text.
(() => {
  const place = document.getElementById("viewer");
  if (!place) return;
  const MOST_COLUMNS = 4;
  const COLOURS = 12;
  const STATUS = { m: "right", p: "part", w: "wrong", s: "span", x: "extra", g: "missing" };

  const make = (tag, classes, ...content) => {
    const element = document.createElement(tag);
    if (classes) element.className = classes;
    element.append(...content.filter((part) => part !== null && part !== undefined));
    return element;
  };
  const draw = (tag, attributes) => {
    const element = document.createElementNS("http" + "://www.w3.org/2000/svg", tag);
    Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
    return element;
  };
  const status = document.getElementById("status");
  const say = (text) => { if (status.textContent !== text) status.textContent = text; };
  const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

  let page = null;
  // What is shown, as the address has it.
  const state = { document: null, line: null, entity: "", error: null, type: "", differ: false, only: false, tab: 0, reference: true };
  let text = null;

  // One column of a text, with what is computed from its data.
  class Column {
    constructor(data, number, first) {
      Object.assign(this, data, page.columns[number], { number });
      this.isReference = page.reference && number === 0;
      if (data.units === undefined) Object.assign(this, { units: first.units, lines: first.lines, characters: first.characters });
      if (typeof this.units === "string") this.units = this.units === "" ? [] : this.units.split(" ");
      this.sizes = [];
      this.firsts = [];
      this.mentions.forEach(([entity], index) => {
        if (entity < 0) return;
        this.sizes[entity] = (this.sizes[entity] || 0) + 1;
        if (this.firsts[entity] === undefined) this.firsts[entity] = index;
      });
      this.parts = this.lines.map(() => []);
      this.mentions.forEach((mention, index) => this.split(mention, index));
      this.others = this.lines.map(() => []);
      (this.deixis || []).forEach(([n, ...spans]) => this.mark(spans, { classes: "d", label: `D${n}` }));
      (this.bridging || []).forEach(([anchor, ...spans]) => this.mark(spans, { classes: "b", suffix: anchor }));
    }
    end(line) { return line + 1 < this.lines.length ? this.lines[line + 1] : this.units.length; }
    lineOf(unit) {
      let [low, high] = [0, this.lines.length];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (this.lines[middle] <= unit) low = middle; else high = middle;
      }
      return low;
    }
    cut(spans, add) {
      let again = false;
      for (let i = 0; i < spans.length; i += 2) {
        for (let start = spans[i]; start < spans[i + 1];) {
          const line = this.lineOf(start);
          const end = Math.min(spans[i + 1], this.end(line));
          add(line, { start, end, again });
          again = true;
          start = end;
        }
      }
    }
    split([, ...spans], index) { this.cut(spans, (line, part) => this.parts[line].push({ ...part, index })); }
    mark(spans, other) { this.cut(spans, (line, part) => this.others[line].push({ ...part, index: this.mentions.length, other })); }
    label(entity) { return `${this.letter}${entity + 1}`; }
    notation(entity) {
      const set = (this.sets || {})[entity];
      return set ? `${this.label(entity)}=${set[0]}{${set[1].map((one) => this.label(one)).join(",")}}` : this.label(entity);
    }
    words(index) {
      const [, ...spans] = this.mentions[index];
      const parts = [];
      for (let i = 0; i < spans.length; i += 2) parts.push(this.units.slice(spans[i], spans[i + 1]).join(this.characters ? "" : " "));
      return parts.join(" … ");
    }
    name(entity) { return `${this.label(entity)} “${this.words(this.firsts[entity])}”`; }
  }

  // An entity that the first column lacks has the group of one with the same mentions in a column before.
  const followEarlier = (column, earlier) => {
    const groups = new Map();
    earlier.forEach((other) => other.mentions.forEach(([entity, ...spans]) => {
      const group = entity < 0 ? "" : other.groups[entity];
      if (group && !group.startsWith("0:")) groups.set(spans.join(), group);
    }));
    const votes = new Map();
    column.mentions.forEach(([entity, ...spans]) => {
      if (entity < 0 || column.groups[entity] || !groups.has(spans.join())) return;
      const key = `${entity} ${groups.get(spans.join())}`;
      votes.set(key, (votes.get(key) || 0) + 1);
    });
    [...votes].sort((a, b) => b[1] - a[1]).forEach(([key]) => {
      const [entity, group] = key.split(" ");
      if (!column.groups[entity] && !column.groups.includes(group)) column.groups[entity] = group;
    });
  };

  // Entities that are aligned one to one with an entity of the first column share its group.
  const align = (columns) => {
    const [first] = columns;
    first.groups = first.sizes.map((_, entity) => `0:${entity}`);
    columns.slice(1).forEach((column) => {
      const taken = new Set();
      column.groups = [];
      [...(column.shared || [])].sort((a, b) => b[2] - a[2] || a[0] - b[0] || a[1] - b[1]).forEach(([own, other]) => {
        if (taken.has(own) || column.groups[other]) return;
        taken.add(own);
        column.groups[other] = `0:${own}`;
      });
      followEarlier(column, columns.slice(1, column.number));
      column.sizes.forEach((_, entity) => { column.groups[entity] = column.groups[entity] || `${column.number}:${entity}`; });
    });
    const largest = new Map();
    columns.forEach((column) => column.sizes.forEach((size, entity) => {
      const group = column.groups[entity];
      const weight = (group.startsWith("0:") ? 1e6 : 0) + size;
      if (size > 1 || (column.sets || {})[entity]) largest.set(group, Math.max(largest.get(group) || 0, weight));
    }));
    const ranked = [...largest].sort((a, b) => b[1] - a[1]);
    return new Map(ranked.map(([group], rank) => [group, `e${rank % COLOURS}${rank % (2 * COLOURS) < COLOURS ? "" : " hatched"}`]));
  };

  const groupOf = (column, entity) => (entity < 0 ? `0:${-1 - entity}` : column.groups[entity]);

  const open = async (number) => {
    const data = await anascore.unpack(`d${number}-data`);
    if (number !== state.document) return;
    const [first, ...others] = data.columns;
    const reference = new Column(first, 0, first);
    const columns = [reference, ...others.map((other, n) => new Column(other, n + 1, reference))];
    text = { number, columns, colours: align(columns), lines: reference.lines.length };
    text.lines = Math.max(...columns.map((column) => column.lines.length));
    text.near = new Map();
    columns.slice(1).forEach((column) => (column.shared || []).forEach(([own, other]) => {
      const [a, b] = [`0:${own}`, column.groups[other]];
      if (a === b) return;
      [[a, b], [b, a]].forEach(([one, two]) => text.near.set(one, (text.near.get(one) || new Set()).add(two)));
    }));
  };

  // Columns on the screen: the reference, and the chosen systems.
  const shown = () => {
    const systems = anascore.chosen().map((system) => text.columns[page.reference ? system + 1 : system]).filter(Boolean);
    const all = page.reference && (state.reference || !systems.length) ? [text.columns[0], ...systems] : systems;
    return all.slice(0, MOST_COLUMNS);
  };
  const compared = () => shown().filter((column) => !column.isReference);

  // Mentions cannot cross as elements: the inner one is closed and opened again.
  const fill = (cell, column, line) => {
    if (line >= column.lines.length) return;
    const [from, to] = [column.lines[line], column.end(line)];
    const opening = new Map();
    [...column.parts[line], ...column.others[line]].forEach((part) => {
      if (!opening.has(part.start)) opening.set(part.start, []);
      opening.get(part.start).push(part);
    });
    let parent = cell;
    let words = "";
    const flush = () => {
      if (words) parent.append(words);
      words = "";
    };
    const stack = [];
    const close = (at) => {
      let ending = stack.filter((part) => part.end === at).length;
      const continuing = [];
      while (ending) {
        flush();
        const top = stack.pop();
        parent = top.element.parentNode;
        if (top.end === at) {
          ending -= 1;
          if (top.other && top.other.suffix) parent.append(make("span", "behind", ` ${top.other.suffix}`));
        } else continuing.push({ ...top, again: true });
      }
      return continuing;
    };
    for (let at = from; at < to; at += 1) {
      const reopened = stack.length ? close(at) : [];
      if (at > from && !column.characters) words += " ";
      [...reopened, ...(opening.get(at) || [])].sort((a, b) => b.end - a.end || a.index - b.index).forEach((part) => {
        flush();
        const element = part.other ? otherMark(part) : mention(column, part);
        parent.append(element);
        parent = element;
        stack.push({ ...part, element });
      });
      words += column.units[at];
    }
    close(to);
    flush();
  };
  const mention = (column, { index, again }) => {
    const [entity] = column.mentions[index];
    const group = groupOf(column, entity);
    const kind = column.status ? STATUS[column.status[index]] : "";
    const colour = text.colours.get(group) || "e";
    const element = make("mark", `m ${colour} ${kind}${again ? " again" : ""}`);
    const owner = entity < 0 ? text.columns[0] : column;
    const own = entity < 0 ? -1 - entity : entity;
    element.dataset.l = again ? `…${owner.label(own)}` : column.firsts[entity] === index ? owner.notation(own) : owner.label(own);
    element.dataset.g = group;
    element.dataset.m = `${column.number}:${index}`;
    return element;
  };
  const otherMark = ({ other, again }) => {
    const element = make("mark", `o ${other.classes}`);
    if (other.label) element.dataset.l = again ? `…${other.label}` : other.label;
    return element;
  };

  // Lines.
  const lineKey = (column, line) => column.parts[line] === undefined ? "" : column.parts[line]
    .filter((part) => !part.again && column.mentions[part.index][0] >= 0)
    .map((part) => `${column.mentions[part.index].slice(1)}|${groupOf(column, column.mentions[part.index][0])}|${(column.status || "")[part.index]}`)
    .sort().join(" ");
  const differs = (line) => {
    const columns = compared();
    if (columns.length === 1) return columns[0].errors.some((error) => error[1] === line);
    const keys = columns.map((column) => lineKey(column, line));
    return keys.some((key) => key !== keys[0]);
  };
  const hasType = (line, type) => compared().some((column) => column.errors.some((error) => error[1] === line && page.typeNames[error[0]] === type));
  const hasGroup = (line, group) => shown().some((column) => (column.parts[line] || []).some((part) => groupOf(column, column.mentions[part.index][0]) === group));
  const isKept = (line) => (!state.differ || differs(line))
    && (!state.type || hasType(line, state.type))
    && (!(state.only && state.entity) || hasGroup(line, state.entity));

  const rows = () => [...place.querySelectorAll(".line")];
  const filterLines = () => {
    let kept = 0;
    rows().forEach((row) => {
      row.hidden = !isKept(Number(row.dataset.line));
      kept += !row.hidden;
    });
    const all = kept === text.lines;
    place.querySelector(".kept").textContent = all ? "" : `${kept} of ${count(text.lines, "line")}`;
    place.classList.toggle("filtered", !all);
  };

  // The margin map: where in the document are which errors.
  const kindOf = (type) => page.kinds[type];
  const drawMap = () => {
    const map = place.querySelector(".map");
    const columns = compared();
    const width = 8 * columns.length + 10;
    map.setAttribute("viewBox", `0 0 ${width} 1000`);
    map.replaceChildren();
    const height = Math.max(3, 1000 / text.lines);
    columns.forEach((column, lane) => {
      const errors = new Map();
      column.errors.forEach(([type, line]) => errors.set(`${line}:${kindOf(type)}`, line));
      errors.forEach((line, key) => map.append(draw("rect", {
        x: 12 + 8 * lane, y: 1000 * line / text.lines, width: 6, height, class: `tick ${key.split(":")[1]}`,
      })));
    });
  };
  const drawTrack = (group) => {
    const map = place.querySelector(".map");
    map.querySelectorAll(".chain").forEach((tick) => tick.remove());
    if (!group) return;
    const lines = new Set();
    for (let line = 0; line < text.lines; line += 1) if (hasGroup(line, group)) lines.add(line);
    lines.forEach((line) => map.append(draw("rect", { x: 1, y: 1000 * line / text.lines, width: 8, height: Math.max(3, 1000 / text.lines), class: "chain" })));
  };

  // The chain of a mention is lit in all columns.
  let pointed = null;
  const light = (group) => {
    place.querySelectorAll(".lit, .near, .element").forEach((mark) => mark.classList.remove("lit", "near", "element"));
    drawTrack(group);
    if (!group) { say(""); return; }
    const paint = (one, name) => place.querySelectorAll(`mark[data-g="${CSS.escape(one)}"]`).forEach((mark) => mark.classList.add(name));
    paint(group, "lit");
    (text.near.get(group) || []).forEach((other) => paint(other, "near"));
    const parts = [];
    text.columns.forEach((column) => {
      const entity = column.groups.indexOf(group);
      if (entity < 0 || !(shown().includes(column) || column.number === 0)) return;
      const shared = ((column.shared || []).find(([own, other]) => other === entity && `0:${own}` === group) || [])[2];
      const found = shared === undefined ? "" : `, ${shared} shared`;
      const set = (column.sets || {})[entity];
      parts.push(`${column.isReference ? "" : `${column.title}: `}${column.name(entity)}, ${count(column.sizes[entity], "mention")}${found}`);
      if (set) {
        set[1].forEach((element) => paint(column.groups[element], "element"));
        parts.push(`elements ${set[1].map((one) => column.label(one)).join(", ")}`);
      }
    });
    say(parts.join(" · "));
  };
  const relight = () => light(pointed || state.entity);

  // Panels below the text.
  const share = (parts) => {
    const [part, whole] = parts.split(" ");
    const number = (value) => {
      const [a, b] = value.replace("≈", "").split("/");
      return Number(a) / (b ? Number(b) : 1);
    };
    const cell = make("td", "n");
    if (parts) cell.append(number(whole) ? `${(100 * number(part) / number(whole)).toFixed(1)}` : "-", make("small", "fr", ` ${part} of ${whole}`));
    return cell;
  };
  const mentionList = (column, entity) => {
    const indices = column.mentions.map(([own], index) => (own === entity ? index : -1)).filter((index) => index >= 0);
    const listed = indices.map((index) => column.words(index));
    const cell = make("td", "", listed.slice(0, 4).join(", "));
    cell.dir = "auto";
    if (listed.length > 4) cell.append(" ", make("details", "inline", make("summary", "", `${listed.length - 4} more`), listed.slice(4).join(", ")));
    return cell;
  };
  const workingTable = (column, figure) => {
    const own = figure === "recall" ? text.columns[0] : column;
    const working = column.working[figure === "recall" ? "key" : "response"];
    const head = make("tr", "", ...["entity", "mentions", ...column.working.columns].map((label, n) => {
      const cell = make("th", n > 1 ? "n" : "", label);
      cell.scope = "col";
      return cell;
    }));
    const list = working.entities.map((entity, n) => {
      const heading = make("th", "", own.notation(entity));
      heading.scope = "row";
      const row = make("tr", "", heading, mentionList(own, entity), ...working.shares[n].map(share));
      row.id = `w${column.number}${own.label(entity)}`;
      return row;
    });
    const total = make("th", "", "total");
    total.scope = "row";
    list.push(make("tr", "total", total, make("td", "", "all entities, singletons included"), ...working.totals.map(share)));
    const caption = make("caption", "", `${column.title}: share of each entity that counts towards ${figure}, in per cent`);
    const box = make("div", "scroll", make("table", "compact", caption, make("thead", "", head), make("tbody", "", ...list)));
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", caption.textContent);
    return box;
  };
  const panel = (name, title, build) => {
    const details = make("details", `panel ${name}`, make("summary", "", title));
    let built = false;
    details.addEventListener("toggle", () => {
      if (!details.open || built) return;
      built = true;
      details.append(...build());
    });
    return details;
  };
  const goTo = (line) => {
    if (line === null || line === undefined) return;
    const row = place.querySelector(`.line[data-line="${line}"]`);
    if (!row) return;
    row.hidden = false;
    place.querySelectorAll(".current").forEach((old) => old.classList.remove("current"));
    row.classList.add("current");
    row.scrollIntoView({ block: "center" });
  };
  const showError = (column, number) => {
    const error = column && column.errors[number];
    if (!error) return;
    const [type, line, key, response, description] = error;
    state.line = line;
    const first = key ? `0:${Number(key.slice(1)) - 1}` : response ? column.groups[Number(response.slice(1)) - 1] : "";
    state.entity = first || state.entity;
    goTo(line);
    relight();
    say(`${column.title}: ${page.types[type]}: ${description}`);
  };
  const panels = () => {
    const columns = compared();
    const list = [];
    const total = columns.reduce((sum, column) => sum + column.errors.length, 0);
    if (total) {
      list.push(panel("errors-here", `${page.items} in this document (${total})`, () => [make("ul", "", ...columns.flatMap((column) => column.errors.map((error, n) => {
        const link = make("a", "", `${page.types[error[0]]}`);
        link.href = address({ line: error[1], error: `${column.number}.${n}` });
        const item = make("li", kindOf(error[0]), columns.length > 1 ? `${column.title}: ` : "", link, `: ${error[4]}`);
        item.dir = "auto";
        return item;
      })))]));
    }
    const fallback = document.querySelector(`#d${text.number} noscript`);
    const sets = fallback ? [...new DOMParser().parseFromString(fallback.textContent, "text/html").querySelectorAll("section.sets")] : [];
    const drawn = sets.reduce((sum, section) => sum + section.querySelectorAll("figure").length, 0);
    if (drawn) list.push(panel("sets-here", `Split antecedents (${drawn})`, () => [fractions(), ...sets.map((section) => document.adoptNode(section))]));
    if (columns.some((column) => column.working)) {
      list.push(panel("working", "Working: what each entity contributes", () => [
        fractions(), ...columns.flatMap((column) => [workingTable(column, "recall"), workingTable(column, "precision")]),
      ]));
    }
    return list;
  };
  const fractions = () => {
    const box = make("input");
    box.type = "checkbox";
    box.checked = document.body.classList.contains("show-fr");
    box.addEventListener("change", () => document.body.classList.toggle("show-fr", box.checked));
    return make("p", "switches", make("label", "", box, " exact fractions"));
  };

  // The tools above the text.
  const select = (label, options, value, change) => {
    const list = make("select", "", ...options.map(([name, title]) => {
      const option = make("option", "", title);
      option.value = name;
      option.selected = name === value;
      return option;
    }));
    list.addEventListener("change", () => change(list.value));
    return make("label", "", `${label} `, list);
  };
  const check = (label, value, change) => {
    const box = make("input");
    box.type = "checkbox";
    box.checked = value;
    box.addEventListener("change", () => change(box.checked));
    return make("label", "", box, ` ${label}`);
  };
  const layer = (name, label) => check(label, place.classList.contains(name), (on) => place.classList.toggle(name, on));
  const tools = () => {
    const [first] = text.columns;
    const entities = first.sizes.map((size, entity) => [size, entity]).filter(([size, entity]) => size > 1 || (first.sets || {})[entity]);
    entities.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
    const options = entities.map(([size, entity]) => [`0:${entity}`, `${first.name(entity).slice(0, 40)} (${size})`]);
    const types = [...new Set(compared().flatMap((column) => column.errors.map((error) => error[0])))].sort((a, b) => a - b);
    return make("div", "tools",
      page.reference ? check("key", state.reference, (on) => { state.reference = on; update(); }) : null,
      select("entity", [["", "all"], ...options], state.only ? state.entity : "", (value) => { Object.assign(state, { entity: value, only: Boolean(value) }); update(); }),
      select(page.item, [["", "all"], ...types.map((type) => [page.typeNames[type], page.types[type]])], state.type, (value) => { state.type = value; update(); }),
      check(compared().length > 1 ? "only lines that differ" : `only lines with ${page.items.toLowerCase()}`, state.differ, (on) => { state.differ = on; update(); }),
      text.columns.some((column) => (column.deixis || []).length) ? layer("show-deixis", "discourse deixis") : null,
      text.columns.some((column) => (column.bridging || []).length) ? layer("show-bridging", "bridging") : null,
      make("span", "kept"));
  };
  const tabs = () => make("div", "tabs", ...shown().map((column, tab) => {
    const button = make("button", "", column.title);
    button.type = "button";
    button.setAttribute("aria-pressed", String(tab === state.tab));
    button.addEventListener("click", () => { state.tab = tab; setTab(); });
    return button;
  }));
  const setTab = () => {
    const table = place.querySelector(".text");
    [0, 1, 2, 3].forEach((tab) => table.classList.toggle(`tab${tab}`, tab === state.tab));
    place.querySelectorAll(".tabs button").forEach((button, tab) => button.setAttribute("aria-pressed", String(tab === state.tab)));
  };

  const LINES_PER_BLOCK = 20;
  const render = () => {
    const columns = shown();
    state.tab = Math.min(state.tab, columns.length - 1);
    const cell = (tag, role, classes, ...content) => {
      const element = make(tag, classes, ...content);
      element.setAttribute("role", role);
      return element;
    };
    const head = cell("div", "row", "row head", cell("span", "columnheader", "number", make("span", "hidden", "line")), ...columns.map((column) =>
      cell("span", "columnheader", "", make("bdi", "", column.title), column.score ? ` ${page.score} ${column.score}` : "")));
    const blocks = [];
    for (let line = 0; line < text.lines; line += 1) {
      if (line % LINES_PER_BLOCK === 0) blocks.push(cell("div", "rowgroup", "block"));
      const row = cell("div", "row", "row line", cell("span", "cell", "number", String(line + 1)), ...columns.map((column) => {
        const content = cell("div", "cell", column.characters ? "cell characters" : "cell");
        content.dir = "auto";
        fill(content, column, line);
        return content;
      }));
      row.dataset.line = line;
      blocks.at(-1).append(row);
    }
    const table = cell("div", "table", `text columns${columns.length}`, cell("div", "rowgroup", "head", head), ...blocks);
    table.setAttribute("aria-label", page.documents.find(([number]) => number === text.number)[1]);
    const map = draw("svg", { class: "map", preserveAspectRatio: "none", role: "img", "aria-label": `${page.items} over the document` });
    map.addEventListener("click", (event) => {
      const box = map.getBoundingClientRect();
      state.line = Math.min(text.lines - 1, Math.floor(text.lines * (event.clientY - box.top) / box.height));
      goTo(state.line);
      remember();
    });
    const most = anascore.chosen().length + (page.reference && state.reference ? 1 : 0);
    const note = most > columns.length ? make("p", "note", `${columns.length} of ${most} columns are shown; choose others under Systems.`) : null;
    const title = make("h3", "", make("bdi", "", table.getAttribute("aria-label")));
    place.replaceChildren(title, tools(), ...(note ? [note] : []), tabs(), make("div", "with-map", table, map), ...panels());
    setTab();
    drawMap();
    filterLines();
    reachable(place.querySelector("mark.m"));
    relight();
  };

  // The address has all that is chosen. It changes together with the state, so that a late hashchange finds the two equal.
  const address = (changes = {}) => {
    const all = { ...state, ...changes };
    const systems = anascore.chosen();
    const parts = [`d${all.document}${all.line === null ? "" : `l${all.line}`}`];
    if (systems.length < document.querySelectorAll("input[name=system]").length) parts.push(`s=${systems.join(",")}`);
    if (all.entity) parts.push(`e=${all.entity}`);
    if (all.only) parts.push("only");
    if (all.type) parts.push(`t=${all.type}`);
    if (all.differ) parts.push("differ");
    if (all.error) parts.push(`x=${all.error}`);
    return `#${parts.join("&")}`;
  };
  const remember = (push = false) => {
    if (location.hash === address()) return;
    if (push) location.hash = address();
    else location.replace(address());
  };
  const update = () => {
    render();
    remember();
  };

  const read = async () => {
    const [where, ...rest] = location.hash.slice(1).split("&");
    const match = /^d(\d+)(?:l(\d+))?$/.exec(where);
    if (!match || !page.documents.some(([number]) => number === Number(match[1]))) return false;
    const values = new URLSearchParams(rest.join("&"));
    if (values.has("s")) anascore.choose(values.get("s").split(",").map(Number));
    const type = values.get("t") || "";
    Object.assign(state, {
      document: Number(match[1]),
      line: match[2] === undefined ? null : Number(match[2]),
      entity: values.get("e") || "",
      only: values.has("only"),
      type: page.typeNames.includes(type) ? type : "",
      differ: values.has("differ"),
      error: values.get("x"),
    });
    await show();
    const mark = /^(\d+):(\d+)$/.test(values.get("m") || "") && place.querySelector(`mark[data-m="${values.get("m")}"]`);
    if (mark) focus(mark);
    return true;
  };
  const show = async () => {
    const number = state.document;
    if (!text || text.number !== number) await open(number);
    if (number !== state.document) return;
    document.getElementById("document").value = page.documents.find(([number]) => number === state.document)[1];
    render();
    if (state.error) {
      const [column, number] = state.error.split(".").map(Number);
      showError(text.columns[column], number);
    } else if (state.line !== null) goTo(state.line);
    else document.getElementById("text").scrollIntoView();
  };
  const turn = (number) => {
    Object.assign(state, { document: number, line: null, entity: "", only: false, error: null });
    remember(true);
    show();
  };
  const step = (by) => {
    const at = page.documents.findIndex(([number]) => number === state.document);
    const next = page.documents[at + by];
    if (next) turn(next[0]);
  };
  const jump = (by) => {
    const lines = rows().filter((row) => !row.hidden).map((row) => Number(row.dataset.line));
    const found = lines.filter((line) => (state.type ? hasType(line, state.type) : differs(line)));
    const from = state.line === null ? -1 : state.line;
    const next = by > 0 ? found.find((line) => line > from) : found.filter((line) => line < from).at(-1);
    if (next === undefined) { say(by > 0 ? "No more below." : "No more above."); return; }
    state.line = next;
    state.error = null;
    goTo(next);
    remember();
  };

  // Keyboard: one mention can be reached by the tab key, the others from there by arrows.
  const reachable = (mark) => {
    place.querySelectorAll("mark[tabindex]").forEach((old) => old.removeAttribute("tabindex"));
    if (mark) mark.tabIndex = 0;
  };
  const focus = (mark) => {
    reachable(mark);
    mark.focus();
  };
  let left = null;
  const work = (mark) => {
    const [column, index] = mark.dataset.m.split(":").map(Number);
    const [entity] = text.columns[column].mentions[index];
    const of = column === 0 ? compared()[0] : text.columns[column];
    const label = entity < 0 ? text.columns[0].label(-1 - entity) : text.columns[column].label(entity);
    const details = place.querySelector("details.working");
    if (!of || !details) return;
    details.open = true;
    setTimeout(() => {
      const row = document.getElementById(`w${of.number}${label}`);
      if (!row) return;
      left = mark;
      row.tabIndex = -1;
      row.focus();
    });
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input, select, textarea")) return;
    const mark = event.target.closest("mark.m");
    const keys = { n: () => step(1), p: () => step(-1), j: () => jump(1), k: () => jump(-1) };
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    } else if (mark && (event.key === "ArrowRight" || event.key === "ArrowLeft")) {
      const cell = [...mark.closest(".row").children].indexOf(mark.closest(".cell"));
      const marks = [...place.querySelectorAll(`.line:not([hidden]) > :nth-child(${cell + 1}) mark.m:not(.again)`)];
      const next = marks[marks.indexOf(mark) + (event.key === "ArrowRight" ? 1 : -1)];
      if (!next) return;
      event.preventDefault();
      focus(next);
    } else if (mark && event.key === "Enter") {
      work(mark);
    } else if (event.key === "Escape") {
      if (left && event.target.matches("tr")) left.focus();
      else {
        if (mark) mark.blur();
        Object.assign(state, { entity: "", only: false, error: null });
        pointed = null;
        update();
      }
    }
  });
  place.addEventListener("mouseover", (event) => {
    const mark = event.target.closest("mark.m");
    const group = mark ? mark.dataset.g : null;
    if (group === pointed) return;
    pointed = group;
    relight();
  });
  place.addEventListener("mouseleave", () => { pointed = null; relight(); });
  place.addEventListener("focusin", (event) => {
    if (!event.target.matches("mark.m")) return;
    pointed = event.target.dataset.g;
    relight();
  });
  place.addEventListener("focusout", () => { pointed = null; });
  place.addEventListener("click", (event) => {
    const mark = event.target.closest("mark.m");
    if (!mark) return;
    state.entity = mark.dataset.g;
    state.line = Number(mark.closest(".line").dataset.line);
    remember();
    relight();
  });

  const start = async () => {
    page = await anascore.unpack("page-data");
    const picker = document.getElementById("document");
    const names = document.getElementById("document-names");
    page.documents.forEach(([, name]) => {
      const option = make("option");
      option.value = name;
      names.append(option);
    });
    const find = () => {
      const wanted = picker.value.toLowerCase();
      const found = page.documents.find(([, name]) => name.toLowerCase() === wanted)
        || (wanted && page.documents.find(([, name]) => name.toLowerCase().includes(wanted)));
      if (!found) say(`There is no document “${picker.value}”.`);
      else if (found[0] !== state.document) turn(found[0]);
    };
    picker.addEventListener("change", find);
    picker.form.addEventListener("submit", find);
    document.getElementById("next").addEventListener("click", () => step(1));
    document.getElementById("previous").addEventListener("click", () => step(-1));
    anascore.onChoice(() => { if (text) update(); });
    // A link to an error chooses its system, and leads to the mention.
    document.addEventListener("click", (event) => {
      const link = event.target.closest("a[data-x]");
      if (!link) return;
      event.preventDefault();
      const system = Number(link.dataset.s);
      if (!anascore.chosen().slice(0, MOST_COLUMNS - 1).includes(system)) anascore.choose([system]);
      location.hash = `${link.hash}&x=${system + 1}.${link.dataset.x}${anascore.chosen().length === 1 ? `&s=${system}` : ""}`;
    });
    addEventListener("hashchange", () => { if (location.hash !== address()) read(); });
    if (!await read() && page.documents.length) {
      [[state.document]] = page.documents;
      await open(state.document);
      picker.value = page.documents[0][1];
      render();
    }
    document.body.classList.add("ready");
  };
  start();
})();
