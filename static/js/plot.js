// Plots: what .plot-data holds, drawn into .plot-stage with uPlot. Texts are never made here: hovering shows those
// of the table. A click, or Enter, types the value into the input's field, and the page follows. What stands over
// the lines is drawn by plot-marks.js.
"use strict";

const AXIS_FONT = '12px "JetBrains Mono", "Mono stand-in", monospace';
const plots = new Map(); // stage element -> Plot

class Plot {
  constructor(stage) {
    this.stage = stage;
    this.section = stage.closest(".plot");
    this.node = null;
    this.chart = null;
    this.index = null;
    this.resizing = new ResizeObserver(() => this.fit());
    this.resizing.observe(stage);
    stage.addEventListener("keydown", (event) => this.key(event));
    this.section.addEventListener("click", (event) => {
      if (event.target.closest(".plot-set")) this.set(this.index);
    });
  }

  // New data has come with a new element; the same one is drawn already.
  update() {
    const node = this.section.querySelector(".plot-data");
    if (node === this.node) return;
    this.node = node;
    this.draw();
  }

  draw() {
    this.chart?.destroy();
    this.chart = null;
    this.index = null;
    this.stage.hidden = this.node === null;
    if (this.stage.hidden || !this.stage.clientWidth) return;
    this.data = JSON.parse(this.node.textContent);
    this.rows = [...this.section.querySelectorAll(".plot-table tbody tr")];
    this.readColours();
    const { columns, strokes } = this.lines();
    this.chart = new uPlot(this.options(strokes), columns, this.stage);
    this.chart.over.addEventListener("click", (event) => {
      if (event.pointerType !== "touch") this.set(this.chart.cursor.idx); // a finger looks first, then uses the button
    });
    this.chart.over.addEventListener("pointerdown", (event) => this.touched(event));
    this.chart.over.addEventListener("pointermove", (event) => this.touched(event));
    this.chart.over.addEventListener("pointerleave", (event) => {
      if (event.pointerType !== "touch") this.show(null); // a finger that lifts leaves what it found
    });
    this.say(null);
  }

  destroy() {
    this.resizing.disconnect();
    this.chart?.destroy();
  }

  fit() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (!width) return;
    if (!this.chart) this.draw();
    else if (width !== this.chart.width || height !== this.chart.height) this.chart.setSize({ width, height });
  }

  readColours() {
    const style = getComputedStyle(this.section);
    const read = (names) => Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    this.colours = { ...read(["ink", "quiet", "rule", "sheet"]), limits: read(["compute", "memory", "network"]) };
    // Paper is white: a drawing for a dark screen is turned round when it is printed.
    this.stage.classList.toggle("drawn-dark", matchMedia("(prefers-color-scheme: dark)").matches);
  }

  colourOf(limit, otherwise) {
    return this.colours.limits[limit] ?? otherwise; // a limit may have no colour of its own
  }

  // A line is cut into one series for each limit, so that each has its colour; the piece between two points
  // belongs to the limit at the first.
  lines() {
    const { xs, levels } = this.data;
    const columns = [xs, ...levels.map((level) => this.drawable(level.values))];
    const strokes = levels.map(({ limit, dash }) => {
      return { colour: this.colourOf(limit, this.colours.quiet), width: 1, dash, level: true };
    });
    for (const curve of this.inOrder()) {
      const values = this.drawable(curve.values);
      const width = curve.present ? 2 : 1.5;
      const plain = curve.present ? this.colours.ink : this.colours.quiet;
      for (const limit of new Set(curve.limits.length ? curve.limits : [""])) {
        const belongs = (i) => !curve.limits.length || curve.limits[i] === limit || curve.limits[i - 1] === limit;
        columns.push(values.map((value, i) => (belongs(i) ? value : null)));
        strokes.push({ colour: this.colourOf(limit, plain), width, dash: curve.dash });
      }
    }
    return { columns, strokes };
  }

  inOrder() {
    return [...this.data.curves].sort((a, b) => a.present - b.present); // the present one on top
  }

  drawable(values) {
    return this.data.y.log ? values.map((value) => (value > 0 ? value : null)) : values;
  }

  options(strokes) {
    const { x, y } = this.data;
    const scale = (axis) => ({ time: false, distr: axis.log ? 3 : 1, range: [axis.low, axis.high] });
    return {
      width: this.stage.clientWidth,
      height: this.stage.clientHeight,
      padding: [26, 14, 0, 0],
      legend: { show: false },
      pxAlign: false, // points of a slanted line, rounded to whole pixels, make it tremble
      scales: { x: scale(x), y: scale(y) },
      axes: [this.axis(x, 0), this.axis(y, 1)],
      series: [{}, ...strokes.map((stroke) => this.series(stroke))],
      cursor: {
        y: false,
        drag: { x: false, y: false, setScale: false, click: () => {} }, // a snapped cursor is no drag: it may click
        points: { show: false },
        move: (chart, left, top) => (left < 0 ? [left, top] : [this.snapped(chart, left), top]),
      },
      hooks: {
        draw: [(chart) => new PlotMarks(this, chart).draw()],
        setCursor: [(chart) => { if (chart.cursor.left >= 0) this.say(chart.cursor.idx); }],
      },
    };
  }

  series({ colour, width, dash, level }) {
    // A point with no neighbour makes no line; it is drawn as a dot.
    const alone = (chart, index) => {
      const values = chart.data[index];
      const there = (i) => values[i] !== null && values[i] !== undefined;
      return values.flatMap((_, i) => (there(i) && !there(i - 1) && !there(i + 1) ? [i] : []));
    };
    return {
      stroke: colour,
      width,
      pxAlign: 0,
      dash: dash.length ? dash : undefined,
      points: level ? { show: false } : { show: true, filter: alone, size: 4, fill: colour, stroke: colour },
    };
  }

  axis({ title, ticks }, side) {
    const texts = new Map(ticks);
    const widest = () => Math.max(0, ...ticks.map(([, text]) => this.width(text)));
    const kept = (chart) => {
      const values = ticks.map(([value]) => value);
      if (side === 1) return values;
      const room = Math.max(1, Math.floor(chart.bbox.width / devicePixelRatio / (widest() + 14)));
      const step = Math.ceil(values.length / room);
      return values.filter((_, place) => place % step === 0);
    };
    return {
      scale: side === 0 ? "x" : "y",
      side: side === 0 ? 2 : 3,
      splits: kept,
      filter: (chart, splits) => splits,
      values: (chart, splits) => splits.map((value) => texts.get(value) ?? ""),
      stroke: this.colours.quiet,
      font: AXIS_FONT,
      label: side === 0 ? title : undefined,
      labelFont: AXIS_FONT,
      labelSize: 22,
      labelGap: 0,
      size: side === 0 ? 28 : () => widest() + 14,
      gap: 8,
      grid: { show: side === 1, stroke: this.colours.rule, width: 1 },
      ticks: { show: side === 0, stroke: this.colours.rule, width: 1, size: 4 },
    };
  }

  width(text) {
    Plot.ruler ??= document.createElement("canvas").getContext("2d");
    Plot.ruler.font = AXIS_FONT;
    return Plot.ruler.measureText(text).width;
  }

  snapped(chart, left) {
    return chart.valToPos(this.data.xs[chart.posToIdx(left)], "x");
  }

  touched(event) {
    if (event.pointerType !== "touch") return;
    const box = this.chart.over.getBoundingClientRect();
    this.chart.setCursor({ left: event.clientX - box.left, top: event.clientY - box.top });
  }

  key(event) {
    if (!this.chart || event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.data.xs.length - 1;
    const at = this.index ?? this.data.now ?? 0;
    const page = Math.ceil(last / 10);
    const moves = {
      ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1,
      PageUp: at + page, PageDown: at - page, Home: 0, End: last,
    };
    if (event.key in moves) this.show(Math.min(Math.max(moves[event.key], 0), last));
    else if (event.key === "Enter") this.set(this.index);
    else if (event.key === "Escape") this.show(null);
    else return;
    event.preventDefault();
  }

  // The cursor at a point; without one, the present state again.
  show(index) {
    if (!this.chart) return;
    const left = index === null ? -10 : this.chart.valToPos(this.data.xs[index], "x");
    this.chart.setCursor({ left, top: index === null ? -10 : 1 });
    this.say(index);
  }

  // The values at a point, taken from the table, in the legend.
  say(index) {
    this.index = index;
    const at = index ?? this.data.now;
    const cells = at === null ? [] : [...this.rows[at].cells];
    const text = (cell) => cell?.querySelector(".num")?.textContent ?? "";
    const spoken = [];
    const columns = [...this.data.curves.map(() => true), ...this.data.levels.map((level) => level.column)];
    let column = 1;
    this.section.querySelectorAll(".plot-legend > li").forEach((entry, place) => {
      const value = entry.querySelector(".plot-value");
      const cell = columns[place] ? cells[column++] : null;
      if (cell) value.textContent = text(cell);
      const limit = entry.querySelector(".plot-limit");
      const word = cell?.querySelector(".limit")?.textContent;
      if (limit && word) {
        limit.textContent = word;
        limit.className = `plot-limit limit limit-${word}`;
      }
      const name = entry.querySelector(".plot-name").textContent;
      if (cell) spoken.push([name, value.textContent, word && `limit ${word}`].filter(Boolean).join(" "));
    });
    this.readOut(index, text(cells[0]), spoken);
  }

  readOut(index, where, spoken) {
    const isNow = index === null || index === this.data.now;
    const readout = this.section.querySelector(".plot-at");
    const number = document.createElement("span");
    number.className = "num plain";
    number.textContent = where;
    const note = document.createElement("span");
    note.className = "quiet";
    note.textContent = isNow ? "now" : "";
    if (where) readout.replaceChildren(`${this.data.over} `, number, " ", note);
    const button = this.section.querySelector(".plot-set");
    button.hidden = isNow || !this.field();
    button.textContent = `Set to ${this.data.typed[index] ?? ""}`;
    const stage = this.stage;
    stage.setAttribute("aria-label", this.data.title);
    stage.setAttribute("aria-valuemin", 0);
    stage.setAttribute("aria-valuemax", this.data.xs.length - 1);
    stage.setAttribute("aria-valuenow", index ?? this.data.now ?? 0);
    stage.setAttribute("aria-valuetext", `${this.data.over} ${where}${isNow ? ", now" : ""}: ${spoken.join(", ")}`);
  }

  field() {
    return document.getElementById(this.data.field);
  }

  set(index) {
    const field = this.field();
    if (index === null || index === undefined || !field) return;
    field.value = this.data.typed[index];
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

// Every plot of the page, once; those whose stage a swap took away are given up with their listeners.
function drawPlots() {
  for (const [stage, plot] of plots) {
    if (stage.isConnected) continue;
    plot.destroy();
    plots.delete(stage);
  }
  for (const stage of document.querySelectorAll(".plot-stage")) {
    if (!plots.has(stage)) plots.set(stage, new Plot(stage));
    plots.get(stage).update();
  }
}

document.addEventListener("DOMContentLoaded", drawPlots);
document.addEventListener("htmx:afterSettle", drawPlots);
document.fonts.ready.then(() => plots.forEach((plot) => plot.draw())); // labels were measured in a stand-in
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => plots.forEach((plot) => plot.draw()));

// Numbers come first: while more of them are on their way, or about to be asked for, the plot waits for those.
const TYPING_MS = 150;
let typedAt = -Infinity;
document.addEventListener("input", (event) => {
  if (event.target.form?.matches("#calculator, #live-form")) typedAt = performance.now();
}, true);
document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, requestConfig } = event.detail;
  const follows = elt.matches(".plot-drawn") && requestConfig.triggeringEvent?.type === "htmx:afterSettle";
  const more = performance.now() - typedAt < TYPING_MS || document.querySelector("form.htmx-request");
  if (follows && more) event.preventDefault();
});

// A range belongs to the input that it was chosen for.
document.addEventListener("change", (event) => {
  if (event.target.id !== "plot-over") return;
  document.getElementById("plot-was").value = event.target.value;
  for (const end of ["plot-from", "plot-to"]) document.getElementById(end).value = "";
}, true);
