// The player on a page of its own: its recording lies beside it, and the theme is the reader's.

const alone = { data: JSON.parse(document.getElementById("recording").textContent), parentElement: document };
mount(alone);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => mount(alone));
// Nothing else is on the page: keys are the player's wherever the focus is.
document.addEventListener("keydown", (event) => {
  const stage = document.querySelector(".stage");
  if (stage.contains(event.target)) return;
  if (!stage.dispatchEvent(new KeyboardEvent(event.type, event))) event.preventDefault();
});
