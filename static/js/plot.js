// Plots: what .plot-data holds, drawn into .plot-stage with uPlot. Texts are never made here: hovering shows those
// of the table. A click, or Enter, types the value into the input's field, and the page follows.
"use strict";

const AXIS_FONT = '12px "JetBrains Mono", "Mono stand-in", monospace';
const MARK_EVERY_PX = 44; // between the markers that name a limit along a line
const LABEL_GAP_PX = 5;
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
    for (const type of ["pointerdown", "pointermove"]) this.chart.over.addEventListener(type, (event) => this.touched(event));
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
    const strokes = levels.map((level) => ({ colour: this.colourOf(level.limit, this.colours.quiet), width: 1, dash: [3, 3], level: true }));
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
        drag: { x: false, y: false, setScale: false, click: () => {} }, // snapping is no drag, which would eat the click
        points: { show: false },
        move: (chart, left, top) => (left < 0 ? [left, top] : [this.snapped(chart, left), top]),
      },
      hooks: {
        draw: [(chart) => this.decorate(chart)],
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
      size: side === 0 ? 28 : () => widest() + 12,
      gap: 6,
      grid: { show: side === 1, stroke: this.colours.rule, width: 1 },
      ticks: { show: side === 0, stroke: this.colours.rule, width: 1, size: 4 },
    };
  }

  width(text) {
    Plot.ruler ??= document.createElement("canvas").getContext("2d");
    Plot.ruler.font = AXIS_FONT;
    return Plot.ruler.measureText(text).width;
  }

  // Over the lines: markers of the limits, the present state, the levels' names, the title of the values.
  decorate(chart) {
    const { ctx } = chart;
    ctx.save();
    ctx.scale(devicePixelRatio, devicePixelRatio);
    const box = Object.fromEntries(["left", "top", "width", "height"].map((side) => [side, chart.bbox[side] / devicePixelRatio]));
    const place = {
      x: (value) => box.left + chart.valToPos(value, "x"),
      y: (value) => box.top + chart.valToPos(value, "y"),
    };
    ctx.font = AXIS_FONT;
    ctx.fillStyle = this.colours.quiet;
    ctx.textBaseline = "alphabetic";
    ctx.textAlign = "left";
    ctx.fillText(this.data.y.title, 0, 12);
    for (const curve of this.inOrder()) this.markLimits(ctx, curve, place);
    this.markNow(ctx, place);
    this.nameLevels(ctx, box, place);
    ctx.restore();
  }

  markLimits(ctx, curve, place) {
    let last = -Infinity;
    let word = "";
    curve.limits.forEach((limit, i) => {
      const value = this.drawable(curve.values)[i];
      const x = place.x(this.data.xs[i]);
      if (!limit || value === null || (limit === word && x - last < MARK_EVERY_PX)) return;
      [last, word] = [x, limit];
      ctx.fillStyle = this.colourOf(limit, this.colours.ink);
      drawMark(ctx, this.data.marks[limit], x, place.y(value), curve.present ? 3.5 : 3);
    });
  }

  markNow(ctx, place) {
    const { now, curves, xs } = this.data;
    const value = now === null ? null : this.drawable(curves.find((curve) => curve.present).values)[now];
    if (value === null) return;
    ctx.beginPath();
    ctx.arc(place.x(xs[now]), place.y(value), 5.5, 0, 2 * Math.PI);
    ctx.fillStyle = this.colours.ink;
    ctx.strokeStyle = this.colours.sheet;
    ctx.lineWidth = 2;
    ctx.fill();
    ctx.stroke();
  }

  // A level's name stands over or under it, where it covers no line and no other name.
  nameLevels(ctx, box, place) {
    const lines = [...this.data.curves, ...this.data.levels].map(({ values }) => this.drawable(values));
    const taken = [];
    for (const level of this.data.levels) {
      const values = this.drawable(level.values);
      const inside = values.flatMap((value, i) => (value >= this.data.y.low && value <= this.data.y.high ? [i] : []));
      if (!inside.length) continue;
      const width = ctx.measureText(level.title).width;
      const fits = this.spots(inside, values, width, box, place).find(
        (spot) => !taken.some((other) => overlaps(spot, other)) && !lines.some((line) => this.crosses(line, spot, place)),
      );
      const spot = fits ?? this.spots(inside, values, width, box, place)[0];
      taken.push(spot);
      ctx.fillStyle = this.colourOf(level.limit, this.colours.quiet);
      ctx.fillText(level.title, spot.left, spot.bottom - 3);
    }
  }

  spots(inside, values, width, box, place) {
    return [0.98, 0.02, 0.7, 0.3, 0.5].flatMap((share) => {
      const i = inside[Math.round(share * (inside.length - 1))];
      const centre = place.x(this.data.xs[i]) - (share - 0.5) * width;
      const left = Math.min(Math.max(centre - width / 2, box.left + 2), box.left + box.width - width);
      return [-LABEL_GAP_PX, 14 + LABEL_GAP_PX].map((down) => {
        const bottom = place.y(values[i]) + down;
        return { left, right: left + width, top: bottom - 13, bottom };
      });
    });
  }

  crosses(values, spot, place) {
    let before = null;
    return values.some((value, i) => {
      const point = value === null ? null : [place.x(this.data.xs[i]), place.y(value)];
      const hit = point && before && before[0] < spot.right && point[0] > spot.left && segmentHits(before, point, spot);
      before = point;
      return hit;
    });
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
      if (cell) spoken.push(`${entry.querySelector(".plot-name").textContent} ${value.textContent} ${word ? `${word} binds` : ""}`.trim());
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

function drawMark(ctx, shape, x, y, size) {
  ctx.beginPath();
  if (shape === "circle") ctx.arc(x, y, size, 0, 2 * Math.PI);
  else if (shape === "square") ctx.rect(x - size, y - size, 2 * size, 2 * size);
  else {
    const low = shape === "triangle" ? size : 0;
    ctx.moveTo(x, y - 1.3 * size);
    ctx.lineTo(x + 1.2 * size, y + low);
    if (!low) ctx.lineTo(x, y + 1.3 * size);
    ctx.lineTo(x - 1.2 * size, y + low);
    ctx.closePath();
  }
  ctx.fill();
}

function overlaps(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function segmentHits([x0, y0], [x1, y1], box) {
  const at = (x) => y0 + ((y1 - y0) * (Math.min(Math.max(x, x0), x1) - x0)) / (x1 - x0 || 1);
  const [a, b] = [at(box.left), at(box.right)];
  return Math.max(a, b) > box.top && Math.min(a, b) < box.bottom;
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

// A range belongs to the input that it was chosen for.
document.addEventListener("change", (event) => {
  if (event.target.id !== "plot-over") return;
  document.getElementById("plot-was").value = event.target.value;
  for (const end of ["plot-from", "plot-to"]) document.getElementById(end).value = "";
}, true);
