// Draws every figure of the page that is in sight, from the JSON beside it; again when its width, the
// colours or its scale change. The number of charts drawn is told in <html data-charts>.
"use strict";
(() => {
  // Okabe and Ito, "Color Universal Design" (2008), without black and yellow, which the grounds swallow.
  const HUES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
  const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 2], [14, 4], [10, 3, 2, 3, 2, 3], [3, 6]];
  // Of viridis (Smith and van der Walt, 2015): even in lightness, also to those who see fewer colours.
  const RAMP = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
  const SIZES = ["", "K", "M", "G", "T"];
  const root = document.documentElement;
  const drawn = new Map();
  const figures = [...document.querySelectorAll("figure.chart")];
  const data = new Map(figures.map((figure) => [figure, JSON.parse(figure.querySelector("script").textContent)]));
  // An algorithm has one colour on the whole page.
  const algorithms = [...new Set(figures.flatMap((figure) => data.get(figure).series.map((one) => one.algorithm)))]
    .filter((name) => name);

  const colour = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const dark = () => colour("--mode") === "dark";

  function bytes(value) {
    let unit = 0;
    while (value >= 1024 && unit < SIZES.length - 1) { value /= 1024; unit += 1; }
    return +value.toFixed(1) + SIZES[unit];
  }

  function text(value, unit) {
    if (value === null || value === undefined) return "–";
    if (unit === "time") return new Date(1000 * value).toISOString().replace("T", " ").replace(".000", "");
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

  // UTC, with the day where more than one is in sight, with seconds where minutes are many.
  function timeLabels(u, ticks) {
    const whole = u.scales.x.max - u.scales.x.min;
    return ticks.map((tick) => {
      const [day, time] = new Date(1000 * tick).toISOString().split("T");
      return whole > 86400 ? day.slice(5) + " " + time.slice(0, 5) : time.slice(0, whole > 1800 ? 5 : 8);
    });
  }

  // A share from 0 to 1 of the part of the ramp that stands out from the ground.
  function shade(share) {
    const place = (dark() ? 0.3 + 0.7 * share : 0.8 * share) * (RAMP.length - 1);
    const low = Math.min(Math.floor(place), RAMP.length - 2);
    const mixed = RAMP[low].map((from, at) => Math.round(from + (RAMP[low + 1][at] - from) * (place - low)));
    return `rgb(${mixed.join(", ")})`;
  }

  function stroke(one, index, all) {
    if (all.ordered) return shade(all.series.length > 1 ? index / (all.series.length - 1) : 0);
    if (one.algorithm) return HUES[algorithms.indexOf(one.algorithm) % HUES.length];
    return colour(one.ours ? "--text" : "--faint");
  }

  // Lines of one colour differ in their dashes; a line to compare with is never solid.
  function strokes(all) {
    const used = new Map();
    return all.series.map((one, index) => {
      const line = stroke(one, index, all);
      const nth = Math.max(used.get(line) || 0, one.ours ? 0 : 1);
      used.set(line, nth + 1);
      return {stroke: line, dash: DASHES[nth % DASHES.length], width: one.ours ? 2 : 1.5};
    });
  }

  // As the line itself, dashes and all.
  function label(one, line) {
    const place = document.createElement("span");
    place.innerHTML = `<svg class="sample" width="34" height="10" aria-hidden="true"><line x1="1" y1="5" x2="33" y2="5"/></svg>`;
    const sample = place.querySelector("line");
    sample.setAttribute("stroke", line.stroke);
    sample.setAttribute("stroke-width", line.width);
    sample.setAttribute("stroke-dasharray", line.dash.join(" "));
    place.append(one.label);
    return place;
  }

  function series(all) {
    const lines = strokes(all);
    return all.series.map((one, index) => ({
      label: label(one, lines[index]), ...lines[index], spanGaps: true,
      points: {show: one.ours && all.xUnit === "size", size: 5},
      value: (u, value) => text(value, all.yUnit),
    }));
  }

  function scale(all, logarithmic) {
    if (all.scale === "whole") return {range: [0, 100]};
    return logarithmic ? {distr: 3, log: 10} : {range: (u, low, high) => [0, high > 0 ? high * 1.05 : 1]};
  }

  // Shades of times that are not as others, under the lines; what happened, across them.
  function places(all) {
    const across = (u, from, to, fill) => {
      const left = u.valToPos(from, "x", true), right = u.valToPos(to, "x", true);
      const {left: first, top, width, height} = u.bbox;
      const begin = Math.max(left, first), end = Math.min(Math.max(right, left + 1), first + width);
      if (end <= first || begin >= first + width) return;
      u.ctx.fillStyle = fill;
      u.ctx.fillRect(begin, top, Math.max(end - begin, 1), height);
    };
    const shade = (name, alpha) => (u, from, to) => {
      u.ctx.save();
      u.ctx.globalAlpha = alpha;
      across(u, from, to, colour(name));
      u.ctx.restore();
    };
    const bad = shade("--bad", 0.25), gap = shade("--faint", 0.25);
    const line = {true: shade("--bad", 0.8), false: shade("--warn", 0.8)};
    return {
      drawClear: [(u) => (all.bands || []).forEach((one) => (one.bad ? bad : gap)(u, one.from, one.to))],
      draw: [(u) => (all.marks || []).forEach((one) => line[one.bad](u, one.x, one.x))],
    };
  }

  // All charts over time show the same part of it.
  let zooming = false;
  function zoomAll(u) {
    if (zooming) return;
    zooming = true;
    const {min, max} = u.scales.x;
    drawn.forEach(({plot}, figure) => {
      if (data.get(figure).xUnit === "time" && plot !== u) plot.setScale("x", {min, max});
    });
    zooming = false;
  }

  function timeOptions(all) {
    return {
      cursor: {sync: {key: "time"}},
      hooks: {...places(all), setSelect: [(u) => setTimeout(() => zoomAll(u))]},
    };
  }

  function options(all, width, logarithmic) {
    const over = all.xUnit === "time";
    const axis = {stroke: colour("--text"), grid: {stroke: colour("--grid"), width: 1}, ticks: {stroke: colour("--line")}};
    const sizes = all.xUnit === "size";
    const short = (u, values) => values.map((value) => (value === null ? "" : String(+value.toPrecision(3))));
    return {
      width, height: Math.round(Math.max(260, Math.min(420, width * 0.5))),
      ...(over ? timeOptions(all) : {}),
      tzDate: (seconds) => uPlot.tzDate(new Date(1000 * seconds), "Etc/UTC"),
      scales: {x: over ? {time: true} : {time: false, distr: 3, log: sizes ? 2 : 10}, y: scale(all, logarithmic)},
      axes: [
        {...axis, label: sizes ? "size, bytes" : over ? "time, UTC" : "time, " + all.xUnit, labelSize: 20,
         ...(over ? {values: timeLabels, space: 80} : sizes ? {splits: sizeTicks, filter: (u, ticks) => ticks, values: (u, ticks) => ticks.map(bytes)} : {values: short})},
        {...axis, label: {"GB/s": "bus bandwidth, GB/s", "µs": "time, µs", "%": "iterations, %"}[all.yUnit] || all.yUnit,
         labelSize: 20, size: 56, values: short},
      ],
      legend: {markers: {show: false}},
      series: [{label: all.xUnit, value: (u, value) => text(value, all.xUnit)}, ...series(all)],
    };
  }

  // The lines over one axis: x of all, and for each line its y or null.
  function table(all, logarithmic) {
    const xs = [...new Set(all.series.flatMap((one) => one.points.map(([x]) => x)))].sort((one, other) => one - other);
    return [xs, ...all.series.map((one) => {
      const known = new Map(one.points);
      return xs.map((x) => (known.has(x) && (!logarithmic || known.get(x) > 0) ? known.get(x) : null));
    })];
  }

  function describe(figure, canvas) {
    const words = figure.querySelector(".words");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", figure.querySelector("figcaption").textContent + ". " + (words ? words.textContent : ""));
  }

  const isLogarithmic = (figure) => data.get(figure).scale === "logarithmic" || figure.dataset.scale === "logarithmic";

  function draw(figure) {
    const place = figure.querySelector(".plot");
    const width = Math.floor(place.clientWidth);
    if (width < 50) return;  // folded up
    const all = data.get(figure);
    const values = table(all, isLogarithmic(figure));
    if (values[0].length === 0) return;
    if (drawn.has(figure)) drawn.get(figure).plot.destroy();
    const plot = new uPlot(options(all, width, isLogarithmic(figure)), values, place);
    describe(figure, plot.ctx.canvas);
    if (all.xUnit === "time") plot.over.addEventListener("dblclick", () => setTimeout(() => zoomAll(plot)));
    drawn.set(figure, {width, plot, first: strokes(all)[0].stroke});
    root.dataset.charts = drawn.size;
  }

  function addSwitch(figure) {
    if (data.get(figure).scale !== "linear") return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "logarithmic";
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => {
      const on = figure.dataset.scale !== "logarithmic";
      figure.dataset.scale = on ? "logarithmic" : "linear";
      button.setAttribute("aria-pressed", String(on));
      draw(figure);
    });
    figure.querySelector("figcaption").after(button);
  }

  // Of any way to write a colour: red, green, blue.
  function channels(plot, name) {
    plot.ctx.fillStyle = name;
    return [1, 3, 5].map((at) => parseInt(plot.ctx.fillStyle.slice(at, at + 2), 16));
  }

  // On how many charts there is a pixel of the first line's colour: a test asks.
  function painted() {
    return [...drawn.values()].filter(({plot, first}) => {
      const [red, green, blue] = channels(plot, first);
      const {width, height} = plot.ctx.canvas;
      const {data: pixels} = plot.ctx.getImageData(0, 0, width, height);
      for (let at = 0; at < pixels.length; at += 4) {
        if (pixels[at] === red && pixels[at + 1] === green && pixels[at + 2] === blue) return true;
      }
      return false;
    }).length;
  }

  const again = () => figures.forEach(draw);
  const watch = new ResizeObserver((entries) => entries.forEach(({target}) => {
    const figure = target.parentElement;
    if (!drawn.has(figure) || drawn.get(figure).width !== Math.floor(target.clientWidth)) draw(figure);
  }));
  figures.forEach(addSwitch);
  again();
  figures.forEach((figure) => watch.observe(figure.querySelector(".plot")));
  setTimeout(() => { root.dataset.painted = painted(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  addEventListener("beforeprint", () => { root.classList.add("printing"); again(); });
  addEventListener("afterprint", () => { root.classList.remove("printing"); again(); });
})();
