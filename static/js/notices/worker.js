// The service worker. Pages always come from the network; without one, a page with the reader's
// next matches is shown, which js/notices/app.js keeps.
const KEPT = "offline";
const PAGE = "/offline/";
// Whether the last page could not be had: its styles come from what is kept, too.
let cut = false;

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  // The browser may ask for the page while this worker starts.
  const preload = self.registration.navigationPreload;
  event.waitUntil(Promise.all([preload && preload.enable(), self.clients.claim()]));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") {
    event.respondWith(open(event));
  } else if (cut && request.destination === "style") {
    event.respondWith(caches.match(request).then((kept) => kept || fetch(request)));
  }
});

async function open(event) {
  try {
    const answer = (await event.preloadResponse) || (await fetch(event.request));
    cut = false;
    return answer;
  } catch (error) {
    cut = true;
    const cache = await caches.open(KEPT);
    const kept = await cache.match(PAGE, { ignoreSearch: true });
    if (!kept) throw error;
    return kept;
  }
}

self.addEventListener("push", (event) => {
  if (!event.data) return;
  const { title, body, url, tag, league } = event.data.json();
  event.waitUntil(
    self.registration.showNotification(title, {
      body: `${body}\n${league}`, tag, data: { url }, icon: "/apple-touch-icon.png",
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data.url));
});
