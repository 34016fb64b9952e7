// Draws every figure of the page that is in sight, from the JSON beside it; again when its width or
// the colours change. The number of charts drawn is told in <html data-charts>.
"use strict";
(() => {
  const HUES = ["#2f8fd0", "#e08a00", "#12a17c", "#cc6fa5", "#d5542a", "#8c7ae6", "#9a8b00", "#5f9ea8"];
  const SIZES = ["", "K", "M", "G", "T"];
  const root = document.documentElement;
  const drawn = new Map();

  const colour = (name) => getComputedStyle(root).getPropertyValue(name).trim();

  function bytes(value) {
    let unit = 0;
    while (value >= 1024 && unit < SIZES.length - 1) { value /= 1024; unit += 1; }
    return +value.toFixed(1) + SIZES[unit];
  }

  function text(value, unit) {
    if (value === null || value === undefined) return "–";
    return unit === "size" ? bytes(value) : +value.toPrecision(4) + " " + unit;
  }

  // Powers of two, as many as there is room for.
  function sizeTicks(u, axis, low, high) {
    const first = Math.ceil(Math.log2(low)), last = Math.floor(Math.log2(high));
    const step = Math.max(1, Math.ceil((last - first + 1) / (u.width / 60)));
    const ticks = [];
    for (let power = first; power <= last; power += step) ticks.push(2 ** power);
    return ticks;
  }

  const positive = (values) => values.map((value) => (value > 0 ? value : null));

  function series(data) {
    const ours = data.series.filter((one) => one.ours).length;
    const partner = (one, index) => {
      const found = data.series.findIndex((other) => one.beside && other.ours && other.label === one.beside);
      return found < 0 ? index : found;
    };
    return data.series.map((one, index) => ({
      label: one.label, stroke: HUES[partner(one, index) % HUES.length], width: one.ours ? 2 : 1.5, spanGaps: true,
      dash: one.ours ? (index < HUES.length ? undefined : [8, 3]) : (index - ours) % 2 ? [2, 4] : [6, 4],
      points: {show: one.ours && data.xUnit === "size", size: 5},
      value: (u, value) => text(value, data.yUnit),
    }));
  }

  function options(data, width) {
    const axis = {stroke: colour("--text"), grid: {stroke: colour("--grid"), width: 1}, ticks: {stroke: colour("--line")}};
    const sizes = data.xUnit === "size";
    const short = (u, values) => values.map((value) => (value === null ? "" : String(+value.toPrecision(3))));
    return {
      width, height: Math.max(260, Math.min(420, width * 0.5)),
      scales: {x: {time: false, distr: 3, log: sizes ? 2 : 10}, y: data.logY ? {distr: 3, log: 10} : {range: [0, 100]}},
      axes: [
        {...axis, label: sizes ? "size, bytes" : data.xUnit, labelSize: 20,
         ...(sizes ? {splits: sizeTicks, filter: (u, ticks) => ticks, values: (u, ticks) => ticks.map(bytes)} : {values: short})},
        {...axis, label: data.yUnit, labelSize: 20, size: 56, values: short},
      ],
      series: [{label: data.xUnit, value: (u, value) => text(value, data.xUnit)}, ...series(data)],
    };
  }

  function draw(figure) {
    const place = figure.querySelector(".plot");
    const width = Math.floor(place.clientWidth);
    if (width < 50) return;  // folded up
    const data = JSON.parse(figure.querySelector("script").textContent);
    if (data.x.length === 0) return;
    if (drawn.has(figure)) drawn.get(figure).plot.destroy();
    const values = data.series.map((one) => (data.logY ? positive(one.values) : one.values));
    drawn.set(figure, {width, plot: new uPlot(options(data, width), [data.x, ...values], place)});
    root.dataset.charts = drawn.size;
  }

  // On how many charts there is a pixel of the first line's colour: a test asks.
  function painted() {
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(HUES[0].slice(at, at + 2), 16));
    return [...drawn.values()].filter(({plot}) => {
      const {width, height} = plot.ctx.canvas;
      const {data} = plot.ctx.getImageData(0, 0, width, height);
      for (let at = 0; at < data.length; at += 4) {
        if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) return true;
      }
      return false;
    }).length;
  }

  const figures = [...document.querySelectorAll("figure.chart")];
  const again = () => figures.forEach(draw);
  const watch = new ResizeObserver((entries) => entries.forEach(({target}) => {
    const figure = target.parentElement;
    if (!drawn.has(figure) || drawn.get(figure).width !== Math.floor(target.clientWidth)) draw(figure);
  }));
  again();
  figures.forEach((figure) => watch.observe(figure.querySelector(".plot")));
  setTimeout(() => { root.dataset.painted = painted(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  addEventListener("beforeprint", () => { root.classList.add("printing"); again(); });
  addEventListener("afterprint", () => { root.classList.remove("printing"); again(); });
})();
