// Whether the page teaches, and what its address hides, as attributes of the document that page.css reads: known before the server answers.

const LOOK_MS = 250;

let markedSearch = "";

function mark() {
  if (markedSearch === `?${location.search}`) return;
  markedSearch = `?${location.search}`;
  const { dataset } = document.documentElement;
  const query = new URLSearchParams(location.search);
  dataset.hide = (query.get("hide") ?? "").split(",").join(" ");
  if (query.get("teach") === "1") dataset.teach = "";
  else delete dataset.teach;
}

/** Mark the document, now and whenever the page writes its address, which not every browser reports. */
export function followAddress() {
  mark();
  if ("navigation" in window) window.navigation.addEventListener("currententrychange", mark);
  else setInterval(mark, LOOK_MS);
}
