/* A tree as the figures of the pages show it (treelib.tree.formats.svg): boxes of splits, leaves in the colours of their
   classes with their counts, and words on the edges. Small trees grow down, larger ones to the right. */
(function () {
  "use strict";
  if (globalThis.treelibDrawing) return;
  const SVG = "http://www.w3.org/2000/svg", EM = 13, LINE = 17, PAD = 10, GAP = 12, SMALL = 11, LARGE = 8;
  let pen;

  const node = (tag, attributes, ...children) => {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  };
  function widthOf(text, size, isBold) {
    pen ??= document.createElement("canvas").getContext("2d");
    pen.font = `${isBold ? 600 : 400} ${size}px system-ui, sans-serif`;
    return pen.measureText(text).width;
  }
  /* The ink, dark or light, that is told better from a colour "#rrggbb". */
  function inkOn(colour) {
    const share = (at) => (parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2;
    return 0.2126 * share(1) + 0.7152 * share(3) + 0.0722 * share(5) > 0.18 ? "#16191d" : "#ffffff";
  }

  /* What stands on the two edges below a split. */
  function edges({ threshold, missingLeft }, feature) {
    if (threshold === Infinity) return ["known", "missing"];
    if (feature.isZeroOne) return ["no", "yes"];
    const value = Number(threshold.toPrecision(4));
    return [`≤ ${value}${missingLeft === true && feature.hasMissing ? " or missing" : ""}`, `> ${value}`];
  }

  /* The tree in words, for those who do not see it. */
  function told(nodes, data, at = 0) {
    const one = nodes[at];
    if (one.feature === null) return data.classes[one.label];
    const feature = data.features[one.feature], [left, right] = edges(one, feature);
    return `${feature.name} ${left}: ${told(nodes, data, one.left)}; ${right}: ${told(nodes, data, one.right)}`;
  }

  /* Nodes as boxes with their texts and sizes, children within their parents. */
  function boxesOf(nodes, data, isDown) {
    const made = (at, level) => {
      const one = nodes[at];
      if (one.feature !== null) {
        const feature = data.features[one.feature], lines = [[feature.name, EM, false]];
        return { one, level, lines, words: edges(one, feature), children: [made(one.left, level + 1), made(one.right, level + 1)] };
      }
      const wrong = one.samples - one.value[one.label];
      const counts = `${one.samples} ${one.samples === 1 ? "sample" : "samples"}, ${wrong} ${wrong === 1 ? "error" : "errors"}${one.isOpen ? ", may be split" : ""}`;
      const lines = [[data.classes[one.label], EM, true], ...(isDown ? counts.split(", ") : [counts]).map((text) => [text, SMALL, false])];
      return { one, level, lines, children: [] };
    };
    const sized = (box) => {
      const widths = box.lines.map(([text, size, isBold]) => widthOf(text, size, isBold));
      const isLine = !isDown && !box.children.length; // of a leaf to the right all stands in one line
      box.width = (isLine ? widths.reduce((sum, width) => sum + width, 0) + PAD : Math.max(...widths)) + 2 * PAD;
      box.height = (isLine ? 1 : box.lines.length) * LINE + (isDown ? PAD : 6);
      box.isLine = isLine;
      box.children.forEach(sized);
      return box;
    };
    return sized(made(0, 0));
  }

  /* Places along the breadth: subtrees beside each other, parents over the middle of their children. */
  function placed(box, isDown, from = 0) {
    const own = isDown ? box.width : box.height;
    if (!box.children.length) {
      box.middle = from + own / 2;
      return own;
    }
    const [first, second] = box.children, one = placed(first, isDown, from);
    const apart = isDown ? Math.max(0, box.words.reduce((sum, word) => sum + widthOf(word, SMALL), 24) - (one + placed(second, isDown)) / 2) : 0;
    const gap = isDown ? Math.max(GAP, apart) : 7, other = placed(second, isDown, from + one + gap);
    box.middle = (first.middle + second.middle) / 2;
    const all = one + gap + other, lack = own - all;
    if (lack > 0) move(box, lack / 2);
    return Math.max(all, own);
  }
  function move(box, by) {
    box.middle += by;
    for (const child of box.children) move(child, by);
  }

  /* The SVG of a tree. nodes: as the solver gives them; data: with names of features and classes; colours: of classes */
  function draw(nodes, data, colours) {
    const leaves = nodes.filter((one) => one.feature === null).length, isDown = leaves <= LARGE;
    const root = boxesOf(nodes, data, isDown), breadth = placed(root, isDown), parts = [], lines = [];
    const inner = isDown ? Math.max(...every(root).filter((box) => box.children.length).map((box) => box.height), LINE + PAD) : 0;
    let far = 0;
    const put = (box, depth) => {
      const x = isDown ? box.middle - box.width / 2 : depth, y = isDown ? depth : box.middle - box.height / 2;
      far = Math.max(far, depth + (isDown ? box.height : box.width));
      const colour = colours[box.one.label % colours.length], isLeaf = !box.children.length;
      const ink = isLeaf ? `fill:${inkOn(colour)}` : "";
      parts.push(node("rect", { x, y, width: box.width, height: box.height, rx: 6, ...(isLeaf ? { style: `fill:${colour}` } : { class: "split" }) }));
      let along = x + PAD;
      box.lines.forEach(([text, size, isBold], i) => {
        const at = box.isLine ? { x: along, y: y + box.height / 2, "text-anchor": "start" } : { x: x + box.width / 2, y: y + (box.height - box.lines.length * LINE) / 2 + (i + 0.5) * LINE, "text-anchor": "middle" };
        parts.push(node("text", { ...at, style: `font-size:${size}px;${isBold ? "font-weight:600;" : ""}${ink}` }, text));
        along += widthOf(text, size, isBold) + PAD;
      });
      const wide = isLeaf ? 0 : Math.max(...box.words.map((word) => widthOf(word, SMALL)));
      const below = isDown ? depth + inner + 34 : depth + box.width + wide + 26;
      box.children.forEach((child, side) => {
        const sign = 2 * side - 1, share = isDown ? 0.5 : 0.62;
        const [x0, y0] = isDown ? [box.middle, depth + box.height] : [depth + box.width, box.middle];
        const [x1, y1] = isDown ? [child.middle, below] : [below, child.middle];
        lines.push(node("path", { class: "edge", d: `M${x0} ${y0}L${x1} ${y1}` }));
        lines.push(node("text", { x: x0 + share * (x1 - x0) + (isDown ? 5 * sign : 0), y: y0 + share * (y1 - y0) + (isDown ? -3 : 8 * sign), "text-anchor": isDown && side ? "start" : "end", style: `font-size:${SMALL}px` }, box.words[side]));
        put(child, below);
      });
    };
    put(root, 0);
    const [width, height] = (isDown ? [breadth, far] : [far, breadth]).map((size) => Math.ceil(size) + 4);
    const svg = node("svg", { class: "live-tree-svg", role: "img", "aria-label": leaves === 1 ? "Tree of one leaf" : `Tree of ${leaves} leaves`, width, height, viewBox: `-2 -2 ${width} ${height}`, style: `min-width:${Math.round(0.8 * width)}px` });
    svg.append(node("desc", {}, told(nodes, data)), ...lines, ...parts);
    return svg;
  }
  const every = (box) => [box, ...box.children.flatMap(every)];

  globalThis.treelibDrawing = { draw, told };
})();
