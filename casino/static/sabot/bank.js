// The bank's page followed as the round page's panel is: asked again every few seconds, 304 while nothing changed. Forms are
// plain ones of the page; what is being typed in them stays.
(() => {
  "use strict";
  const live = document.querySelector("#bank-live[data-follow]"), POLL_MS = 3000, HIDDEN_MS = 15000;
  if (!live) return;
  const part = window.sabot.keeper(live), parser = document.createElement("template");
  let etag = null, sending = false;
  addEventListener("submit", () => { sending = true; });
  addEventListener("pageshow", (e) => { if (e.persisted) location.reload(); });
  const poll = async () => {
    try {
      if (!part.typing() && !sending) {
        const answer = await fetch(live.closest("[data-here]").dataset.here, { headers: { "HX-Request": "true", "HX-Current-URL": location.href, ...(etag ? { "If-None-Match": etag } : {}) }, credentials: "same-origin", cache: "no-store" });
        window.sabot.line(answer.status < 500);
        // The table closed meanwhile, or nobody is signed in any more: the page itself leads on.
        if (answer.status === 401 || answer.redirected) { location.reload(); return; }
        if (answer.status === 200 && !part.typing() && !sending) {
          const html = await answer.text(), first = etag === null;
          etag = answer.headers.get("ETag");
          parser.innerHTML = html;
          // What came with the page is as new as the first answer, and a refusal's form shows what was typed.
          if (!first || !document.querySelector(".refusal, .note.bad")) part.put(parser.content.cloneNode(true));
        }
      }
    } catch { window.sabot.line(false); }
    setTimeout(poll, document.hidden ? HIDDEN_MS : POLL_MS);
  };
  setTimeout(poll, POLL_MS);
})();
