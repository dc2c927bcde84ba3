// The controls of the viewer's clock.

class Transport {
  // `act` has a function for each control: first, back, toggle, next, last, scrub(share), pace(name).
  constructor(act) {
    this.node = el("div", "transport");
    this.button("first", "To the start (Home)", act.first);
    this.button("back", "Round before (left arrow)", act.back);
    this.play = this.button("play", "Play (space)", act.toggle);
    this.button("next", "Next round (right arrow)", act.next);
    this.button("last", "To the end (End)", act.last);
    this.scrubber = el("input", "scrubber");
    Object.assign(this.scrubber, { type: "range", min: "0", max: "1000", value: "0" });
    this.scrubber.setAttribute("aria-label", "Place in the run");
    this.scrubber.addEventListener("input", () => act.scrub(this.scrubber.value / 1000));
    this.pace = el("select", "pace");
    this.pace.setAttribute("aria-label", "Pace");
    for (const [name, pace] of Object.entries(PACES)) {
      const option = el("option", "", pace.word);
      option.value = name;
      this.pace.append(option);
    }
    this.pace.addEventListener("change", () => act.pace(this.pace.value));
    this.factor = el("span", "factor", "");
    this.node.append(this.scrubber, this.pace, this.factor);
  }

  button(name, label, act) {
    const node = el("button", "button");
    node.type = "button";
    this.label(node, name, label);
    node.addEventListener("click", act);
    this.node.append(node);
    return node;
  }

  label(node, name, label) {
    node.title = label;
    node.setAttribute("aria-label", label);
    node.replaceChildren(icon(name));
  }

  wordsFor(slow) {
    if (slow === null) return "";
    const [factor, than] = slow < 1 ? [1 / slow, "quicker"] : [slow, "slower"];
    if (factor < 1.05) return "true speed";
    return `${factor < 10 ? factor.toFixed(1) : Math.round(factor)}× ${than} than real`;
  }

  draw(run, plan, position, clock, playing) {
    if (this.playing !== playing) {
      this.playing = playing;
      if (playing) this.label(this.play, "pause", "Pause (space)");
      else this.label(this.play, "play", "Play (space)");
    }
    if (this.pace.value !== plan.pace) this.pace.value = plan.pace;
    const place = plan.end > 0 ? Math.round((1000 * clock) / plan.end) : 0;
    if (Number(this.scrubber.value) !== place) this.scrubber.value = String(place);
    this.scrubber.setAttribute("aria-valuetext", position.index < 0 ? "no round yet" : `round ${position.index + 1} of ${run.rounds.length}`);
    const slow = slowdownAt(run, plan, position.index);
    setText(this.factor, this.wordsFor(slow));
  }
}
