// Keeps the page that is shown without a network: of this reader only, renewed now and then.
const KEPT = "offline";
const LASTS = 10 * 60 * 1000;
const reader = document.querySelector("link[rel=manifest]").dataset.reader;
const page = `/offline/?of=${reader}`;

async function renew() {
  const cache = await caches.open(KEPT);
  const kept = await cache.match(page);
  if (kept && Date.now() - Date.parse(kept.headers.get("Date")) < LASTS) return;
  // Another reader's page goes first, whatever becomes of the new one.
  if (!kept) await caches.delete(KEPT);
  const answer = await fetch(page, { headers: { "X-Requested-With": "app" } });
  if (!answer.ok || answer.redirected) return;
  const text = await answer.clone().text();
  const shown = new DOMParser().parseFromString(text, "text/html");
  const parts = [...shown.querySelectorAll("link[rel=stylesheet]")].map((one) => one.getAttribute("href"));
  const fresh = await caches.open(KEPT);
  await fresh.put(page, answer);
  const missing = [];
  for (const part of parts) if (!(await fresh.match(part))) missing.push(part);
  await fresh.addAll(missing);
  for (const one of await fresh.keys()) {
    const { pathname, search } = new URL(one.url);
    if (![page, ...parts].includes(pathname + search)) await fresh.delete(one);
  }
}

if ("serviceWorker" in navigator && window.isSecureContext) {
  const renewed = () => renew().catch(() => {});
  navigator.serviceWorker.register("/sw.js").catch(() => {});
  if ("requestIdleCallback" in window) requestIdleCallback(renewed);
  else setTimeout(renewed, 1000);
}
