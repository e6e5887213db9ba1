/* A chart of lines, for live parts: globalThis.treelibChart. A plain script; needs live.js. */
(function () {
  "use strict";
  const { el, draw } = globalThis.treelibLive;
  const number = (value) => Number(value.toPrecision(3)).toString();

  /* Lines over a log or linear x axis; returns a node and a function that marks one point of each line.
     `axes.picks` are the places on the x axis that a click or a drag chooses between: `axes.pick(i)`. */
  function chart(lines, axes) {
    const width = 560, height = 260, left = 62, right = 12, top = 30, bottom = 44;
    const xs = lines.flatMap((line) => line.points.map((point) => point[0]));
    const ys = lines.flatMap((line) => line.points.map((point) => point[1]));
    const warp = axes.log ? (v) => Math.log(v) : (v) => v;
    const x0 = warp(Math.min(...xs)), x1 = warp(Math.max(...xs)), y0 = Math.min(...ys), y1 = Math.max(...ys);
    const x = (v) => left + ((warp(v) - x0) / (x1 - x0 || 1)) * (width - left - right);
    const y = (v) => height - bottom - ((v - y0) / (y1 - y0 || 1)) * (height - top - bottom);
    const root = draw("svg", { viewBox: "0 0 " + width + " " + height, class: "chart", role: "img", "aria-label": axes.label });
    for (const tick of ticks(y0, y1)) {
      root.append(
        draw("line", { x1: left, x2: width - right, y1: y(tick), y2: y(tick), class: "grid" }),
        draw("text", { x: left - 6, y: y(tick) + 4, class: "end" }, number(tick)),
      );
    }
    const marks = axes.log ? logTicks(Math.min(...xs), Math.max(...xs)) : ticks(Math.min(...xs), Math.max(...xs));
    for (const tick of marks) root.append(draw("text", { x: x(tick), y: height - bottom + 18, class: "middle" }, number(tick)));
    root.append(
      draw("text", { x: (left + width - right) / 2, y: height - 6, class: "middle" }, axes.x),
      draw("text", { x: 4, y: 14 }, axes.y),
      draw("path", { d: "M" + left + " " + top + "V" + (height - bottom) + "H" + (width - right), class: "axis" }),
    );
    const dots = lines.map((line) => {
      const path = line.points.map((point, i) => {
        const at = x(point[0]).toFixed(1) + " " + y(point[1]).toFixed(1);
        return i === 0 ? "M" + at : line.step ? "H" + x(point[0]).toFixed(1) + "V" + y(point[1]).toFixed(1) : "L" + at;
      });
      root.append(draw("path", { d: path.join(""), class: "line", style: "stroke:" + line.color, "stroke-dasharray": line.dash || null }));
      const dot = draw("circle", { r: 5.5, class: "dot", style: "fill:" + line.color, visibility: "hidden" });
      root.append(dot);
      return dot;
    });
    const legend = el("ul", { class: "chart-legend" }, lines.map((line) =>
      el("li", {}, draw("svg", { viewBox: "0 0 30 10", width: 30, height: 10, "aria-hidden": "true" },
        draw("path", { d: "M0 5H30", class: "line", style: "stroke:" + line.color, "stroke-dasharray": line.dash || null })), " " + line.name)));
    const mark = (points) => points.forEach((point, i) => {
      dots[i].setAttribute("visibility", point ? "visible" : "hidden");
      if (point) { dots[i].setAttribute("cx", x(point[0])); dots[i].setAttribute("cy", y(point[1])); }
    });
    if (axes.picks) {
      const pick = (event) => {
        const box = root.getBoundingClientRect(), at = ((event.clientX - box.left) / box.width) * width;
        const far = (i) => Math.abs(x(axes.picks[i]) - at);
        axes.pick(axes.picks.reduce((best, _, i) => (far(i) < far(best) ? i : best), 0));
      };
      root.classList.add("pick");
      root.addEventListener("pointerdown", pick);
      root.addEventListener("pointermove", (event) => event.buttons & 1 && pick(event));
    }
    return { node: el("div", { class: "chart-figure" }, root, legend), mark: mark };
  }

  function ticks(low, high) {
    const span = high - low || 1, raw = span / 4, power = Math.pow(10, Math.floor(Math.log10(raw)));
    const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw);
    const out = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * span; k++) out.push(Number((k * step).toPrecision(12)));
    return out;
  }

  function logTicks(low, high) {
    const out = [];
    for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e++) {
      for (const f of high / low > 200 ? [1] : [1, 2, 5]) {
        const value = Number((f * Math.pow(10, e)).toPrecision(12));
        if (value >= low * 0.999 && value <= high * 1.001) out.push(value);
      }
    }
    return out;
  }

  globalThis.treelibChart = chart;
})();
