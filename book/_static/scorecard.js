// Filters and sorting for the table of verdicts. Without this script the whole table is there.
(() => {
  const box = document.querySelector("div.scorecard");
  if (!box) return;
  const table = box.querySelector("table");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const form = document.createElement("form");
  form.className = "scorecard-form";
  const status = document.createElement("p");
  status.setAttribute("role", "status");

  const choice = (name, label) => {
    const values = [...new Set(rows.map((row) => row.dataset[name]))];
    const select = document.createElement("select");
    select.name = name;
    select.append(new Option("all", ""), ...values.map((value) => new Option(value, value)));
    return labelled(label, select);
  };
  const labelled = (text, control) => {
    const label = document.createElement("label");
    label.append(`${text} `, control);
    return label;
  };
  const search = document.createElement("input");
  search.type = "search";
  search.name = "text";
  form.append(
    choice("paper", "Paper"), choice("kind", "Kind"), choice("verdict", "Verdict"),
    labelled("Item or words", search)
  );

  const sort = document.createElement("select");
  sort.name = "sort";
  sort.append(
    new Option("the paper's order", ""), new Option("deviation, largest first", "falling"),
    new Option("deviation, smallest first", "rising")
  );
  form.append(labelled("Sort by", sort));
  box.before(form, status);

  const words = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const show = () => {
    const wanted = new FormData(form);
    const text = wanted.get("text").trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const fits = ["paper", "kind", "verdict"].every(
        (name) => !wanted.get(name) || row.dataset[name] === wanted.get(name)
      ) && words.get(row).includes(text);
      row.hidden = !fits;
      shown += fits;
    }
    status.textContent = `${shown} of ${rows.length} claims`;
  };
  const order = () => {
    const sign = { falling: -1, rising: 1 }[sort.value];
    const value = (row) => (row.dataset.deviation === "" ? null : Number(row.dataset.deviation));
    const sorted = !sign ? rows : [...rows].sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      if (x === null || y === null) return (x === null) - (y === null); // without a number: last
      return sign * (x - y);
    });
    body.append(...sorted);
    const head = table.querySelector("th[data-key=deviation]");
    sign ? head.setAttribute("aria-sort", sign < 0 ? "descending" : "ascending") : head.removeAttribute("aria-sort");
  };

  // a page that is called with a claim shows all rows; ?paper=osdt&verdict=differs sets the filters
  for (const [name, value] of new URLSearchParams(location.search)) {
    if (form.elements[name]) form.elements[name].value = value;
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", (event) => (event.target === sort ? order() : show()));
  order();
  show();
})();
