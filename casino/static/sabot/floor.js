// The floor by keyboard: arrows go from tile to tile, Enter does its main act, / filters. And how old what is shown is.
(() => {
  "use strict";
  const board = document.getElementById("board");
  const search = document.getElementById("filter");
  // What happens at a table is here within two seconds; a tab nobody looks at asks twice a minute.
  const POLL_MS = 1000, HIDDEN_MS = 30000, STALE_MS = 8000, STALE_HIDDEN_MS = 75000;
  let fresh = Date.now();

  const doors = () => [...board.querySelectorAll(".tile:not([hidden]) .do a:first-child, .tile:not([hidden]) a.whole")];
  const narrow = () => {
    const wanted = (search ? search.value : "").trim().toLowerCase();
    board.querySelectorAll(".tile").forEach((tile) => { tile.hidden = wanted !== "" && !tile.textContent.toLowerCase().includes(wanted); });
    board.querySelectorAll(".pit").forEach((pit) => { pit.hidden = !pit.querySelector(".tile:not([hidden])"); });
  };
  const middle = (el) => { const r = el.closest(".tile").getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; };
  const step = (from, key) => {
    const [x, y] = middle(from);
    let best = null, least = Infinity;
    for (const door of doors()) {
      if (door === from) continue;
      const [dx, dy] = [middle(door)[0] - x, middle(door)[1] - y];
      const ahead = { ArrowRight: dx, ArrowLeft: -dx, ArrowDown: dy, ArrowUp: -dy }[key];
      const aside = Math.abs(key === "ArrowRight" || key === "ArrowLeft" ? dy : dx);
      if (ahead > 8 && ahead + 3 * aside < least) { least = ahead + 3 * aside; best = door; }
    }
    return best;
  };

  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const typing = e.target.matches("input, select, textarea");
    if (e.key === "/" && !typing && search) { e.preventDefault(); search.focus(); search.select(); return; }
    if (e.target === search) {
      if (e.key === "Escape") { search.value = ""; narrow(); search.blur(); }
      if (e.key === "Enter" || e.key === "ArrowDown") { e.preventDefault(); const first = doors()[0]; if (first) first.focus(); }
      return;
    }
    if (typing || !e.key.startsWith("Arrow") || !doors().length) return;
    const at = document.activeElement.closest ? document.activeElement.closest(".tile") : null;
    const from = at && at.querySelector(".do a:first-child, a.whole");
    const to = from ? step(from, e.key) : doors()[0];
    if (to) { e.preventDefault(); to.focus(); to.scrollIntoView({ block: "nearest" }); }
  });
  if (search) search.addEventListener("input", narrow);
  document.body.addEventListener("htmx:afterSettle", narrow);

  let next = 0;
  const ask = () => { clearTimeout(next); next = setTimeout(ask, document.hidden ? HIDDEN_MS : POLL_MS); window.htmx.trigger(board, "sabot:poll"); };
  next = setTimeout(ask, POLL_MS);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) ask(); });

  const note = document.getElementById("stale");
  document.body.addEventListener("htmx:afterRequest", (e) => { if (e.detail.elt === board && e.detail.xhr.status && e.detail.xhr.status < 400) fresh = Date.now(); });
  setInterval(() => {
    const age = Date.now() - fresh, old = age > (document.hidden ? STALE_HIDDEN_MS : STALE_MS);
    document.getElementById("main").classList.toggle("stale", old);
    if (note) { note.hidden = !old; note.querySelector("b").textContent = String(Math.round(age / 1000)); }
  }, 1000);
})();
