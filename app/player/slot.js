// One drafted token and one closing token as they stand on the desk.

class Slot {
  // `act.point(place)` is called when it is pointed at, `act.point(null)` when it is left, `act.open(place)` when it is chosen.
  constructor(place, act, className = "slot") {
    this.node = el("button", className);
    this.base = className;
    this.node.type = "button";
    this.text = el("span", "text", "");
    this.verdict = el("span", "verdict", "");
    this.node.append(this.text, this.verdict);
    for (const event of ["pointerenter", "focus"]) this.node.addEventListener(event, () => act.point(place));
    for (const event of ["pointerleave", "blur"]) this.node.addEventListener(event, () => act.point(null));
    this.node.addEventListener("click", () => {
      if (this.node.getAttribute("aria-disabled") === "false") act.open(place);
    });
    this.draw(null, "idle", "", null);
  }

  // `label` is tokenLabel's, or null for an empty place; `verdict` names a look, or is empty.
  draw(label, kind, verdict, looks) {
    setText(this.text, label ? label.text : "");
    const name = `${this.base} ${kind}${label && label.raw ? " raw" : ""}`;
    if (this.node.className !== name) this.node.className = name;
    this.node.setAttribute("aria-disabled", String(!label));
    if (label) this.node.removeAttribute("aria-label");
    else this.node.setAttribute("aria-label", "empty place");
    this.node.tabIndex = label ? 0 : -1;
    this.drawVerdict(verdict, looks);
  }

  // Mark and word; where columns are narrow the word is left to the legend.
  drawVerdict(name, looks) {
    if ((this.verdict.dataset.name || "") === name) return;
    this.verdict.dataset.name = name;
    const look = name && looks[name];
    this.verdict.replaceChildren(...(look ? [el("span", "mark", look.mark), el("span", "word", ` ${look.word}`)] : []));
  }
}

// How a drafted token looks at a moment: the name of its kind for the style sheet.
function kindOf(round, position, place) {
  const drafted = round.drafted[place];
  if (!drafted) return "idle";
  const state = slotAt(round, position, place);
  if (state.told) return drafted.verdict;
  if (state.typed) return "typed";
  return position.phase === "draft" && place === position.typed ? "open next" : "open";
}
