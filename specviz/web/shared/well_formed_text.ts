// Text that somebody types or pastes, as it can be sent. Half of a surrogate pair, which some programs leave on the clipboard, is no
// character: Streamlit's server cannot decode it and closes the connection, and does so again whenever the browser repeats it.

function wellFormed(text: string) {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

/** Before React sees it; unlike the property `value`, `setRangeText` leaves React to find out that the text has changed. */
function mend({ target: box }: Event) {
  if (!(box instanceof HTMLTextAreaElement || box instanceof HTMLInputElement)) return;
  const mended = wellFormed(box.value);
  if (mended === box.value) return;
  const { selectionStart, selectionEnd } = box;
  box.setRangeText(mended, 0, box.value.length);
  box.setSelectionRange(selectionStart, selectionEnd);
}

/** Half a character in any box of the page becomes the replacement character while it is typed. */
export function mendWhatIsTyped() {
  document.addEventListener("input", mend, true);
}
