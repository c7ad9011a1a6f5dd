// The public display of a pool: asked again within two seconds; figures that changed light up, and a lost line is said.
(() => {
  "use strict";
  const place = document.getElementById("display"), lost = document.getElementById("lost");
  const POLL_MS = 1500, AGAIN_MS = 4000, STALE_MS = 10000;
  let etag = null, heard = performance.now();
  const figures = () => [...place.querySelectorAll(".figure-of b")].map((one) => one.textContent);
  const show = (html) => {
    const before = figures();
    place.innerHTML = html;
    place.querySelectorAll(".figure-of b").forEach((one, at) => { if (before[at] !== undefined && before[at] !== one.textContent) one.classList.add("moved"); });
  };
  const poll = async () => {
    let wait = POLL_MS;
    try {
      const answer = await fetch(place.dataset.live, { headers: etag ? { "If-None-Match": etag } : {}, credentials: "omit" });
      if (answer.status === 200) { etag = answer.headers.get("ETag"); show(await answer.text()); }
      if (answer.status === 404) { location.reload(); return; }
      if (answer.status === 200 || answer.status === 304) heard = performance.now();
      else wait = AGAIN_MS;
    } catch { wait = AGAIN_MS; }
    lost.hidden = performance.now() - heard < STALE_MS;
    setTimeout(poll, wait);
  };
  setTimeout(poll, POLL_MS);
})();
