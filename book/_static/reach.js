// Whatever is wider than its place and scrolls can be reached, and then scrolled, by the keyboard. Sizes are asked
// for after the page was laid out, so that nothing waits for them.
(() => {
  const given = new WeakSet(); // places that have their stop of the keyboard from here
  const begun = new WeakSet(); // figures of trees that were scrolled to their middle, where the root is
  const sizes = new ResizeObserver((entries) => {
    const wide = entries.map(({ target }) => target.scrollWidth > target.clientWidth);
    entries.forEach(({ target }, i) => {
      target.toggleAttribute("data-wide", wide[i]); // a phone says that it goes on
      if (wide[i] && !begun.has(target) && target.querySelector(":scope > :is(a, img).wide-tree")) {
        begun.add(target);
        target.scrollLeft = (target.scrollWidth - target.clientWidth) / 2;
      }
      if (wide[i] && target.tabIndex < 0) {
        target.tabIndex = 0;
        given.add(target);
      } else if (!wide[i] && given.delete(target)) target.removeAttribute("tabindex");
    });
  });
  const boxes = document.querySelectorAll(".bd-article :is(table.table, figure, .output, .formula.display)");
  const look = () => { for (const box of boxes) { sizes.unobserve(box); sizes.observe(box); } };
  look();
  // another font makes what is in a box wider, and not the box
  addEventListener("load", () => document.fonts.ready.then(look));
})();
