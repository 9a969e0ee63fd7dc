"use strict";
(() => {
  const root = document.documentElement;
  const plots = [...document.querySelectorAll("[data-plot]")];
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const button = document.getElementById("theme");
  const colour = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const colours = (name) => colour(name).split(/\s+/);
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches);
  const views = new Map();
  const NARROW = 520;

  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  document.body.append(tip);

  // Names come from the data, so the tooltip is built from text nodes only.
  function showTip(_handler, event, _item, value) {
    if (!value) {
      tip.hidden = true;
      return;
    }
    const list = document.createElement("dl");
    for (const [name, text] of Object.entries(value)) {
      const term = document.createElement("dt");
      const figure = document.createElement("dd");
      term.textContent = name;
      figure.textContent = String(text);
      list.append(term, figure);
    }
    tip.replaceChildren(list);
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    const left = Math.min(event.clientX + 14, innerWidth - box.width - 8);
    const below = event.clientY + 16 + box.height < innerHeight;
    tip.style.left = `${Math.max(8, left)}px`;
    tip.style.top = `${below ? event.clientY + 16 : event.clientY - box.height - 12}px`;
  }

  const labelRoom = (width) => Math.max(90, Math.min(230, Math.round(width * 0.34)));

  // Names of rows are cut in the middle: those of one model differ at the end.
  function cutInTheMiddle(channel, width) {
    if (channel?.type !== "nominal" || channel.axis === null) return channel;
    const labelExpr = `truncate(datum.label, ${Math.floor(labelRoom(width) / 6.8)}, 'center')`;
    return { ...channel, axis: { labelExpr, ...channel.axis } };
  }

  function config(width) {
    const ink = colour("--ink");
    const soft = colour("--soft");
    const font = getComputedStyle(document.body).fontFamily;
    return {
      background: "transparent",
      font,
      aria: false,
      padding: { left: 0, right: 4, top: 4, bottom: 4 },
      view: { stroke: null },
      range: {
        category: colours("--series"),
        heatmap: { scheme: colours("--ramp") },
        diverging: { scheme: colours("--diverging") },
      },
      mark: { color: colour("--accent") },
      point: { color: colour("--accent") },
      text: { color: ink, fontSize: 11.5 },
      rule: { color: ink },
      axis: {
        labelColor: ink,
        titleColor: soft,
        titleFontWeight: "normal",
        gridColor: colour("--line"),
        domain: false,
        ticks: false,
        labelFontSize: 11.5,
        titleFontSize: 11.5,
        labelPadding: 6,
      },
      axisY: { labelLimit: Math.round(labelRoom(width) * 1.15) },
      legend: {
        labelColor: ink,
        titleColor: soft,
        titleFontWeight: "normal",
        labelFontSize: 11.5,
        titleFontSize: 11.5,
        labelLimit: 260,
        ...(width < NARROW ? { columns: 1 } : {}),
      },
    };
  }

  async function draw(box) {
    const width = box.parentElement.clientWidth;
    const narrow = width < NARROW;
    // On a phone entries of a legend stand below each other, whatever the plot asks for.
    const spec = JSON.parse(document.getElementById(box.dataset.plot).textContent, (key, value) => {
      if (key === "y") return cutInTheMiddle(value, width);
      return narrow && key === "legend" && value?.columns ? { ...value, columns: 1 } : value;
    });
    for (const param of spec.params ?? []) param.value = colour(`--${param.name.replaceAll("_", "-")}`);
    const theme = config(width);
    try {
      const made = await vegaEmbed(box, spec, {
        actions: false,
        ast: true,
        config: theme,
        defaultStyle: false,
        tooltip: showTip,
        ...spec.usermeta?.embedOptions,
      });
      views.get(box)?.finalize();
      views.set(box, made);
      box.dataset.drawn = "yes";
    } catch (error) {
      box.dataset.drawn = "no";
      box.textContent = "This plot could not be drawn. The table holds its figures.";
      console.error(error);
    }
  }

  async function drawAll() {
    tip.hidden = true;
    root.dataset.drawn = "no";
    for (const box of plots) await draw(box);
    root.dataset.inked = isDark() ? "dark" : "light";
    root.dataset.drawn = "yes";
  }

  function nameTheme() {
    button.setAttribute("aria-pressed", String(isDark()));
    button.textContent = isDark() ? "Light theme" : "Dark theme";
  }

  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    nameTheme();
    drawAll();
  });
  prefersDark.addEventListener("change", () => {
    if (root.dataset.theme) return;
    nameTheme();
    drawAll();
  });
  nameTheme();

  for (const unfold of document.querySelectorAll("[data-unfold]")) {
    const frame = unfold.previousElementSibling;
    frame.classList.add("folded");
    unfold.hidden = false;
    unfold.addEventListener("click", () => {
      const folded = frame.classList.toggle("folded");
      unfold.setAttribute("aria-expanded", String(!folded));
      unfold.textContent = folded ? `Show all ${unfold.dataset.rows} models` : "Show fewer";
      if (folded) frame.scrollIntoView({ block: "nearest" });
    });
  }

  // Figures are written for people: a true minus, thousands separators, a dash for none.
  function figure(text) {
    const value = Number.parseFloat(text.replace("\u2212", "-").replace(/,/g, ""));
    return Number.isNaN(value) ? null : value;
  }

  function sortRows(body, at, heads, up) {
    const rows = [...body.rows].map((row, place) => {
      const text = row.cells[at].textContent.trim();
      return { row, place, text, value: figure(text) };
    });
    const numbers = rows.some((one) => one.value !== null) && !heads[at].classList.contains("t");
    rows.sort((a, b) => {
      if (!numbers) return (up ? 1 : -1) * a.text.localeCompare(b.text, undefined, { numeric: true });
      if (a.value === null || b.value === null) return (a.value === null) - (b.value === null);
      return (up ? 1 : -1) * (a.value - b.value) || a.place - b.place;
    });
    body.append(...rows.map((one) => one.row));
    heads.forEach((head, place) => {
      if (place === at) head.setAttribute("aria-sort", up ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
  }

  for (const live of document.querySelectorAll("[data-live]")) {
    const body = live.querySelector("tbody");
    const heads = [...live.querySelectorAll("thead th")];
    const find = live.querySelector(".find");
    const input = find.querySelector("input");
    const found = find.querySelector(".found");
    heads.forEach((head, at) => {
      const sort = document.createElement("button");
      sort.type = "button";
      sort.className = "sort";
      sort.textContent = head.textContent;
      sort.addEventListener("click", () =>
        sortRows(body, at, heads, head.getAttribute("aria-sort") !== "ascending"),
      );
      head.replaceChildren(sort);
    });
    find.hidden = false;
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of body.rows) {
        const titles = [...row.cells].map((cell) => cell.title).join(" ");
        const text = `${row.textContent} ${titles}`.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
        if (!row.hidden) shown += 1;
      }
      found.textContent = words.length ? `${shown} of ${body.rows.length}` : "";
    });
  }

  addEventListener("scroll", () => (tip.hidden = true), { passive: true });
  drawAll();
})();
