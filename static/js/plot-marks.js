// What stands over the lines of a plot: the limits' markers, the present state, the levels' names, the title.
"use strict";

const MARK_EVERY_PX = 44; // between the markers of one limit along a line
const LABEL_GAP_PX = 5;
const LABEL_HEIGHT_PX = 13;
// Where along a level its name may stand, the likeliest to be free first; and on which side of that point: over it
// or under it, ending there (1) or beginning there (0).
const LABEL_PLACES = [0.98, 0.02, 0.7, 0.3, 0.5];
const LABEL_SIDES = [["over", 1], ["under", 0], ["over", 0], ["under", 1]];

class PlotMarks {
  constructor(plot, chart) {
    this.plot = plot;
    this.data = plot.data;
    this.chart = chart;
    this.ctx = chart.ctx;
    const [left, top, width, height] = ["left", "top", "width", "height"].map((side) => chart.bbox[side] / devicePixelRatio);
    this.box = { left, top, width, bottom: top + height };
  }

  x(value) {
    return this.box.left + this.chart.valToPos(value, "x");
  }

  y(value) {
    return this.box.top + this.chart.valToPos(value, "y");
  }

  draw() {
    const { ctx, plot } = this;
    ctx.save();
    ctx.scale(devicePixelRatio, devicePixelRatio);
    ctx.font = AXIS_FONT;
    ctx.textBaseline = "alphabetic";
    ctx.textAlign = "left";
    ctx.fillStyle = plot.colours.quiet;
    ctx.fillText(this.data.y.title, 0, 12);
    for (const curve of plot.inOrder()) this.markLimits(curve);
    this.markNow();
    this.nameLevels();
    ctx.restore();
  }

  markLimits(curve) {
    const values = this.plot.drawable(curve.values);
    let last = -Infinity;
    let word = "";
    curve.limits.forEach((limit, i) => {
      const x = this.x(this.data.xs[i]);
      if (!limit || values[i] === null || (limit === word && x - last < MARK_EVERY_PX)) return;
      [last, word] = [x, limit];
      this.ctx.fillStyle = this.plot.colourOf(limit, this.plot.colours.ink);
      this.mark(this.data.marks[limit], x, this.y(values[i]), curve.present ? 3.5 : 3);
    });
  }

  mark(shape, x, y, size) {
    const { ctx } = this;
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

  markNow() {
    const { now, curves, xs } = this.data;
    const value = now === null ? null : this.plot.drawable(curves.find((curve) => curve.present).values)[now];
    if (value === null) return;
    const { ctx } = this;
    ctx.beginPath();
    ctx.arc(this.x(xs[now]), this.y(value), 5.5, 0, 2 * Math.PI);
    ctx.fillStyle = this.plot.colours.ink;
    ctx.strokeStyle = this.plot.colours.sheet;
    ctx.lineWidth = 2;
    ctx.fill();
    ctx.stroke();
  }

  // A level's name stands over or under it, where it covers no line and no other name if there is such a place. The
  // legend has it in any case.
  nameLevels() {
    const { y, curves, levels } = this.data;
    const lines = [...curves, ...levels].map(({ values }) => this.points(this.plot.drawable(values)));
    const taken = [];
    for (const level of levels) {
      const values = this.plot.drawable(level.values);
      const inside = values.flatMap((value, i) => (value !== null && value >= y.low && value <= y.high ? [i] : []));
      if (!inside.length) continue;
      const spots = this.spots(inside, values, this.ctx.measureText(level.title).width);
      const isTaken = (spot) => taken.some((other) => overlap(spot, other)) || lines.some((line) => passes(line, spot));
      const spot = spots.find((each) => !isTaken(each)) ?? spots[0];
      if (!spot) continue;
      taken.push(spot);
      this.ctx.fillStyle = this.plot.colourOf(level.limit, this.plot.colours.quiet);
      this.ctx.fillText(level.title, spot.left, spot.bottom - 3);
    }
  }

  points(values) {
    return values.map((value, i) => (value === null ? null : [this.x(this.data.xs[i]), this.y(value)]));
  }

  spots(inside, values, width) {
    return LABEL_PLACES.flatMap((share) => {
      const i = inside[Math.round(share * (inside.length - 1))];
      const [x, y] = [this.x(this.data.xs[i]), this.y(values[i])];
      return LABEL_SIDES.map(([side, before]) => {
        const left = Math.min(Math.max(x - before * width, this.box.left + 2), this.box.left + this.box.width - width);
        const bottom = side === "over" ? y - LABEL_GAP_PX : y + LABEL_GAP_PX + LABEL_HEIGHT_PX;
        return { left, right: left + width, top: bottom - LABEL_HEIGHT_PX, bottom };
      });
    }).filter((spot) => spot.top >= 0 && spot.bottom <= this.box.bottom);
  }
}

function overlap(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

// Whether a line, given as its points with gaps between, passes through a box.
function passes(points, box) {
  return points.some((end, i) => {
    const start = points[i - 1];
    if (!start || !end || start[0] >= box.right || end[0] <= box.left) return false;
    const slope = (end[1] - start[1]) / (end[0] - start[0] || 1);
    const at = (x) => start[1] + slope * (Math.min(Math.max(x, start[0]), end[0]) - start[0]);
    const [a, b] = [at(box.left), at(box.right)];
    return Math.max(a, b) > box.top && Math.min(a, b) < box.bottom;
  });
}
