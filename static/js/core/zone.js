// Tells the server the reader's time zone, and shows this page's times in it until then.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const day = { day: "numeric", month: "short", year: "numeric", timeZone: zone };
const clock = { hour: "2-digit", minute: "2-digit", timeZone: zone, timeZoneName: "short" };

function shown(time) {
  const moment = new Date(time.dateTime);
  const date = new Intl.DateTimeFormat("en-GB", day).format(moment);
  if (time.dataset.show === "day") return date;
  return `${date}, ${new Intl.DateTimeFormat("en-GB", clock).format(moment)}`;
}

function rewrite(root) {
  for (const time of root.querySelectorAll("time[data-show]")) {
    if (time.dataset.zone === zone) continue;
    time.textContent = shown(time);
    time.dataset.zone = zone;
  }
}

if (zone) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `timezone=${zone}; path=/; max-age=31536000; samesite=lax${secure}`;
  rewrite(document);
  document.addEventListener("htmx:afterSwap", (event) => rewrite(event.target));
}
