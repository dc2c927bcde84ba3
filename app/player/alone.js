// The player on a page of its own: its recording lies beside it, and the theme is the reader's.

const alone = { data: JSON.parse(document.getElementById("recording").textContent), parentElement: document };
mount(alone);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => mount(alone));
