// Formulas come after the page: what sets them is loaded when everything else works, and sets those near the view first.
(() => {
  const here = document.currentScript.src;
  addEventListener("load", () => {
    const script = Object.assign(document.createElement("script"), { src: new URL("mathjax/startup.js", here).href });
    document.head.append(script);
  });
})();
