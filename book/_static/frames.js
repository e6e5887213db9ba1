// A report shown within a page is as tall as its content, on a screen and on a phone.
(() => {
  for (const frame of document.querySelectorAll(".bd-article iframe[srcdoc]")) {
    const fit = () => {
      const content = frame.contentDocument?.documentElement;
      if (content) frame.style.height = `${content.scrollHeight + 4}px`;
    };
    frame.addEventListener("load", fit);
    new ResizeObserver(fit).observe(frame.parentElement);
    fit();
  }
})();
