// A round step by step: the arrows, Home and End follow the page's own links. Without it the links do the same.
(() => {
  "use strict";
  const ways = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };
  document.addEventListener("keydown", (e) => {
    if (e.altKey || e.ctrlKey || e.metaKey || e.shiftKey || e.target.closest("input, textarea, select")) return;
    const link = ways[e.key] && document.querySelector(`[data-step="${ways[e.key]}"]`);
    if (link) { e.preventDefault(); link.click(); }
  });
  const here = document.querySelector(".replay-log .here");
  if (here) here.parentElement.scrollTop = here.offsetTop - here.parentElement.clientHeight / 2;
})();
