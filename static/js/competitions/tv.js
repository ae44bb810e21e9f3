// Turns through the slides. Without the server, the last one stays and says so.
// The browsers of televisions are years old: nothing here is newer than 2019.
const PATIENCE = 10000;
const AGAIN = 4000;
const styles = (page) => [...page.querySelectorAll("link[rel=stylesheet], script")].map((one) => one.getAttribute("href") || one.getAttribute("src")).join();

async function turn() {
  const { next } = document.body.dataset;
  const control = new AbortController();
  const timer = setTimeout(() => control.abort(), PATIENCE);
  try {
    const answer = await fetch(next, { signal: control.signal });
    // An error page of the server or of a proxy is no slide. The code of an ended screen is asked for again.
    if (!answer.ok) throw new Error(answer.status);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const isSlide = page.body.classList.contains("screen");
    if (!isSlide && !answer.redirected) throw new Error("no slide");
    if (!isSlide || styles(page) !== styles(document)) {
      location.replace(answer.url);
      return;
    }
    document.title = page.title;
    document.body.replaceWith(document.adoptNode(page.body));
    setTimeout(turn, document.body.dataset.seconds * 1000);
  } catch (error) {
    document.querySelector(".lost").hidden = false;
    setTimeout(turn, AGAIN);
  } finally {
    clearTimeout(timer);
  }
}
setTimeout(turn, document.body.dataset.seconds * 1000);

// A laptop at a projector must not fall asleep.
const stayAwake = () => navigator.wakeLock && !document.hidden && navigator.wakeLock.request("screen").catch(() => {});
document.addEventListener("visibilitychange", stayAwake);
stayAwake();
