// The controls of the viewer's clock.

class Transport {
  // `act` has a function for each control: first, back, phaseBack, toggle, phaseOn, next, rejection, last, scrub(share), pace(name).
  constructor(act) {
    this.node = el("div", "transport");
    this.button("first", "To the start (Home)", act.first);
    this.button("back", "Round before (left arrow)", act.back);
    this.button("phaseBack", "Phase before (comma)", act.phaseBack);
    this.play = this.button("play", "Play (space)", act.toggle);
    this.button("phaseOn", "Next phase (period)", act.phaseOn);
    this.button("next", "Next round (right arrow)", act.next);
    this.button("rejection", "Next rejection (n)", act.rejection);
    this.button("last", "To the end (End)", act.last);
    const track = el("div", "track");
    this.marks = el("canvas", "marks");
    this.marks.setAttribute("aria-hidden", "true");
    this.size = { width: 0, height: 0 };
    new ResizeObserver(([entry]) => {
      this.size = { width: entry.contentRect.width, height: entry.contentRect.height };
    }).observe(this.marks);
    this.scrubber = el("input", "scrubber");
    Object.assign(this.scrubber, { type: "range", min: "0", max: "1000", value: "0" });
    this.scrubber.setAttribute("aria-label", "Place in the run");
    this.scrubber.addEventListener("input", () => act.scrub(this.scrubber.value / 1000));
    track.append(this.scrubber, this.marks);
    this.pace = el("select", "pace");
    this.pace.setAttribute("aria-label", "Pace");
    for (const [name, pace] of Object.entries(PACES)) {
      const option = el("option", "", pace.word);
      option.value = name;
      this.pace.append(option);
    }
    this.pace.addEventListener("change", () => act.pace(this.pace.value));
    this.factor = el("span", "factor", "");
    this.node.append(track, this.pace, this.factor);
  }

  button(name, label, act) {
    const node = iconButton(name, label, act);
    this.node.append(node);
    return node;
  }

  wordsFor(slow) {
    if (slow === null) return "";
    const [factor, than] = slow < 1 ? [1 / slow, "quicker"] : [slow, "slower"];
    if (factor < 1.05) return "true speed";
    return `${factor < 10 ? factor.toFixed(1) : Math.round(factor)}× ${than} than real`;
  }

  // A mark for every rejection, under the scrubber; while bets are open only as far as `told`, the round on the desk.
  mark(run, plan, theme, told) {
    const { width, height } = this.size, ratio = window.devicePixelRatio || 1;
    const key = [run.id, run.rounds.length, plan.pace, plan.end, width, theme, told].join();
    if (key === this.marked || !width) return;
    this.marked = key;
    this.marks.width = width * ratio;
    this.marks.height = height * ratio;
    const pen = this.marks.getContext("2d");
    pen.scale(ratio, ratio);
    pen.fillStyle = getComputedStyle(this.marks).color;
    run.rounds.forEach((round, index) => {
      if (index > told || !round.drafted.some((d) => d.verdict === "rejected")) return;
      const next = index + 1 < plan.starts.length ? plan.starts[index + 1] : plan.end;
      const thumb = 8; // half of the handle, which the range input keeps inside its ends
      const share = plan.end > 0 ? (plan.starts[index] + next) / 2 / plan.end : 0;
      pen.fillRect(thumb + share * (width - 2 * thumb) - 0.75, 0, 1.5, height);
    });
  }

  draw(run, plan, position, clock, { playing, theme, told }) {
    wearPlaying(this.play, playing);
    if (this.pace.value !== plan.pace) this.pace.value = plan.pace;
    const place = plan.end > 0 ? Math.round((1000 * clock) / plan.end) : 0;
    if (this.place !== place) {
      this.place = place;
      this.scrubber.value = String(place);
      this.scrubber.style.setProperty("--done", `${place / 10}%`);
    }
    const words = position.index < 0 ? "no round yet" : `round ${position.index + 1} of ${run.rounds.length}`;
    if (this.words !== words) this.scrubber.setAttribute("aria-valuetext", words);
    this.words = words;
    const slow = slowdownAt(run, plan, position.index);
    setText(this.factor, run.replanned ? "priced, not measured" : this.wordsFor(slow));
    this.mark(run, plan, theme, told);
  }
}
