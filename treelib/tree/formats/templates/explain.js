/* Why a row is predicted as it is: {prediction, path, reason, change, instead, sentence}. `path` is all that was
asked, `reason` a minimal part of it that forces the prediction, `change` the nearest one that gives another class.
wishes: {wanted: a class, fixed: names of columns, directions: {name: 1 or -1}} */
export function explain(row, { wanted, fixed = [], directions = {} } = {}) {
  const x = read(row);
  const value = GROUPS.map((group) => {
    const v = x[group.column];
    if (!group.categories) return v;
    const code = group.categories.indexOf(v);
    return v !== v ? group.categories.length + 1 : code < 0 ? group.categories.length : code;
  });
  const isInside = (cell, i) => {
    const v = value[i];
    if (GROUPS[i].categories) return cell.allowed[v] === 1;
    return v !== v ? cell.nan : cell.low < v && v <= cell.high;
  };
  const phrase = (cell, i) => {
    const isMissing = GROUPS[i].categories ? value[i] > GROUPS[i].categories.length : value[i] !== value[i];
    return isMissing && isInside(cell, i) ? `${GROUPS[i].name} is missing` : cell.text;
  };
  const leaf = LEAVES.find((one) => one.cells.every(isInside));
  const others = LEAVES.filter((one) => one.isThere && one.answer !== leaf.answer);
  const outside = others.map((one) => one.cells.map((cell, i) => !isInside(cell, i)));
  const path = [...GROUPS.keys()].filter((i) => leaf.cells[i].isTested);
  let reason = path;
  for (const i of [...path].reverse()) {
    const less = reason.filter((k) => k !== i);
    if (outside.every((flags) => less.some((k) => flags[k]))) reason = less;
  }
  let nearest = null;
  others.forEach((one, k) => {
    if (IS_REGRESSION || (wanted !== undefined && one.answer !== wanted)) return;
    const needed = [...GROUPS.keys()].filter((i) => outside[k][i]);
    let size = 0;
    for (const i of needed) {
      const cell = one.cells[i], v = value[i];
      if (fixed.includes(GROUPS[i].name)) return;
      if (GROUPS[i].categories || v !== v) {
        if (GROUPS[i].categories ? !cell.allowed.slice(0, -1).includes(1) : !(cell.low < cell.high)) return;
        size += 1;
        continue;
      }
      const way = v <= cell.low ? 1 : -1;
      if (!(cell.low < cell.high) || (directions[GROUPS[i].name] ?? way) !== way) return;
      size += (way > 0 ? cell.low - v : v - cell.high) / GROUPS[i].scale;
    }
    const isNearer = nearest && (needed.length - nearest.needed.length || size - nearest.size) < 0;
    if (!nearest || isNearer) nearest = { one, needed, size };
  });
  const said = (one, places) => places.map((i) => phrase(one.cells[i], i));
  const listed = (texts) =>
    texts.length > 1 ? `${texts.slice(0, -1).join(", ")} and ${texts[texts.length - 1]}` : texts.join("");
  const change = nearest ? said(nearest.one, nearest.needed) : [];
  const because = listed(said(leaf, reason));
  let sentence = because ? `${leaf.answer}, because ${because}.` : `${leaf.answer}, whatever the columns hold.`;
  if (nearest) {
    const were = listed(change.map((text) => text.replace(" is ", " were ")));
    sentence += ` It would be ${nearest.one.answer} if ${were}.`;
  }
  const instead = nearest ? nearest.one.answer : null;
  return { prediction: leaf.answer, path: said(leaf, path), reason: said(leaf, reason), change, instead, sentence };
}
