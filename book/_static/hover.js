// Notes on links: what a reference, a theorem, a word or a verdict is, without leaving the page. The pointer shows a
// note after a moment, the keyboard at once; Escape closes it. Without this script a link is a link.
(() => {
  const links = document.querySelectorAll("a[data-note]");
  if (!links.length) return;
  const box = Object.assign(document.createElement("div"), { id: "note", className: "note-box", hidden: true });
  box.setAttribute("role", "tooltip");
  document.body.append(box);
  let waiting, shown;

  const hide = () => {
    clearTimeout(waiting);
    box.hidden = true;
    shown?.removeAttribute("aria-describedby");
    shown = null;
  };
  const place = (link) => {
    const where = link.getClientRects()[0];
    const left = Math.max(8, Math.min(where.left, innerWidth - box.offsetWidth - 8));
    const below = where.bottom + 6;
    const fits = below + box.offsetHeight < innerHeight || where.top < box.offsetHeight + 6;
    box.style.left = `${left + scrollX}px`;
    box.style.top = `${(fits ? below : where.top - box.offsetHeight - 6) + scrollY}px`;
  };
  const show = (link) => {
    hide();
    shown = link;
    if (link.dataset.drawn) box.innerHTML = link.dataset.drawn; // with its formulas, made with the page
    else box.textContent = link.dataset.note;
    box.hidden = false;
    link.setAttribute("aria-describedby", "note");
    place(link);
  };
  for (const link of links) {
    link.addEventListener("pointerenter", (event) => {
      if (event.pointerType === "touch") return; // a finger follows the link
      clearTimeout(waiting);
      waiting = setTimeout(() => show(link), 250);
    });
    link.addEventListener("pointerleave", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => box.matches(":hover") || hide(), 200);
    });
    link.addEventListener("focus", () => link.matches(":focus-visible") && show(link));
    link.addEventListener("blur", hide);
  }
  box.addEventListener("pointerleave", hide);
  addEventListener("keydown", (event) => event.key === "Escape" && hide());
})();
