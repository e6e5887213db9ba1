// A report shown within a page is as tall as its content, on a screen and on a phone.
(() => {
  for (const frame of document.querySelectorAll(".bd-article iframe[srcdoc]")) {
    const follow = () => {
      const content = frame.contentDocument?.documentElement;
      if (!content) return;
      // the height of the content's own box: scrollHeight is never less than that of the frame, which would grow for ever
      const fit = () => { frame.style.height = `${Math.ceil(content.getBoundingClientRect().height) + 4}px`; };
      new ResizeObserver(fit).observe(content);
      fit();
    };
    frame.addEventListener("load", follow);
    follow();
  }
})();
