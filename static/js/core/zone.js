// Tells the server the browser's time zone, and shows this page's times in that zone until then.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
// As the server writes them: English dates with the day before the month.
const language = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;

const day = { day: "numeric", month: "short", year: "numeric", timeZone: zone };
const clock = { hour: "2-digit", minute: "2-digit", timeZone: zone, timeZoneName: "short" };

// Under the heading of a day in the server's zone, an hour of another day says which.
function hourText(moment, theirs) {
  const days = [zone, theirs].map((each) => new Intl.DateTimeFormat("en", { ...day, timeZone: each }).format(moment));
  const weekday = days[0] === days[1] ? {} : { weekday: "short" };
  return new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", timeZone: zone, ...weekday }).format(moment);
}

function localText(time) {
  const moment = new Date(time.dateTime);
  const date = new Intl.DateTimeFormat(language, day).format(moment);
  if (time.dataset.show === "day") return date;
  if (time.dataset.show === "hour") return hourText(moment, time.dataset.zone);
  return `${date}, ${new Intl.DateTimeFormat(language, clock).format(moment)}`;
}

const marks = {
  day: { day: "numeric", month: "short", timeZone: zone },
  hour: { hour: "2-digit", minute: "2-digit", timeZone: zone },
};

function rewriteCharts(root) {
  for (const mark of root.querySelectorAll("text[data-moment]")) {
    const format = new Intl.DateTimeFormat(language, marks[mark.dataset.show]);
    mark.textContent = format.format(new Date(mark.dataset.moment));
  }
}

function rewrite(root) {
  rewriteCharts(root);
  for (const time of root.querySelectorAll("time[data-show]")) {
    if (time.dataset.zone === zone) continue;
    time.textContent = localText(time);
    time.dataset.zone = zone;
  }
  for (const name of root.querySelectorAll("[data-zone-name]")) name.textContent = zone;
}

if (zone) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `timezone=${zone}; path=/; max-age=31536000; samesite=lax${secure}`;
  rewrite(document);
  document.addEventListener("htmx:afterSwap", (event) => rewrite(event.target));
}
