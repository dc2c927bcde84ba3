// The text so far: a span for every token of the run; how many of them are shown is the clock's business.

class Manuscript {
  // `choose` is called with the round of a token that was clicked and its place there: a drafted one's, or "closing".
  constructor(choose) {
    this.choose = choose;
    this.node = el("div", "manuscript");
    this.node.setAttribute("aria-label", "The text so far");
    this.node.setAttribute("role", "group");
    this.node.tabIndex = 0;
    this.prompt = el("span", "prompt");
    this.caret = el("span", "caret", "");
    this.clear();
  }

  clear() {
    this.spans = [];
    this.shown = 0;
    this.fresh = [0, 0];
    this.promptSpans = [];
    this.copied = null;
    this.prompt.replaceChildren();
    this.node.replaceChildren(this.prompt, this.caret);
  }

  // Add spans for the tokens that have come since the last call.
  fill(run, looks) {
    const ids = idsOf(run);
    if (!ids.length && !this.promptSpans.length) setText(this.prompt, run.prompt); // until its tokens are known
    if (!ids.length || ids.length === this.spans.length) return;
    const pieces = textPieces(run.bytes, [...run.promptIds, ...ids]);
    this.fillPrompt(pieces.splice(0, run.promptIds.length));
    let place = 0;
    run.rounds.forEach((round, index) => {
      for (let i = 0; i < tokensOf(round); i += 1, place += 1) {
        if (place < this.spans.length) continue;
        const drafted = i < round.accepted.length;
        this.add(pieces[place], drafted ? "accepted" : round.closing.how, looks, index, drafted ? round.accepted[i] : "closing", i === 0);
      }
    });
  }

  // A span for each token of the prompt too: a draft may be copied from there.
  fillPrompt(pieces) {
    if (pieces.length === this.promptSpans.length) return;
    this.promptSpans = pieces.map((piece) => el("span", "", piece));
    this.prompt.replaceChildren(...this.promptSpans);
  }

  add(text, how, looks, index, place, first) {
    const span = el("span", `token ${how}${first ? " first" : ""}`, text);
    span.title = `${looks[how].mark} ${looks[how].word} in round ${index + 1}`;
    span.hidden = true;
    span.addEventListener("click", () => this.choose(index, place));
    this.spans.push(span);
    this.caret.before(span);
  }

  // Whether the first token of each round has a bar before it.
  markRounds(on) {
    this.node.classList.toggle("with-rounds", on);
  }

  draw(run, position) {
    const round = run.rounds[position.index];
    const shown = Math.min(position.committed, this.spans.length);
    for (let i = Math.min(shown, this.shown); i < Math.max(shown, this.shown); i += 1) this.spans[i].hidden = i >= shown;
    const fresh = round ? [round.start, shown] : [0, 0];
    if (fresh[0] !== this.fresh[0] || fresh[1] !== this.fresh[1]) {
      for (let i = this.fresh[0]; i < this.fresh[1]; i += 1) this.spans[i].classList.remove("new");
      for (let i = fresh[0]; i < fresh[1]; i += 1) this.spans[i].classList.add("new");
      this.fresh = fresh;
    }
    this.light(round && !position.landed ? copiedOf(round) : null);
    if (shown !== this.shown) followEnd(this.node, this.caret);
    this.shown = shown;
  }

  // Light the tokens, by their place in prompt and text, that this round's draft was copied from.
  light(places) {
    if (String(places) === String(this.copied)) return;
    const all = [...this.promptSpans, ...this.spans];
    const mark = (at, on) => {
      const part = at ? all.slice(...at) : [];
      for (const span of part) span.classList.toggle("copied", on);
      if (part.length) part[0].classList.toggle("copied-first", on);
    };
    mark(this.copied, false);
    mark(places, true);
    this.copied = places;
  }
}
