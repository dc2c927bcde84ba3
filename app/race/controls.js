// The controls of the clock that all lanes share.

const FACTORS = [1, 2, 5, 10, 20, 50, 100, 200, 500];

class Controls {
  // `act` has a function for each control: first, toggle, scrub(share), factor(number, or null for the default).
  constructor(act) {
    this.node = el("div", "controls");
    this.again = this.button("first", "Restart (Home)", act.first);
    this.play = this.button("play", "Play (space)", act.toggle);
    this.time = el("span", "clock", "");
    this.slow = el("span", "factor", "");
    this.scrubber = el("input", "scrubber");
    Object.assign(this.scrubber, { type: "range", min: "0", max: "1000", value: "0" });
    this.scrubber.setAttribute("aria-label", "Place on the clock");
    this.scrubber.addEventListener("input", () => act.scrub(this.scrubber.value / 1000));
    this.choice = el("select", "choice");
    this.choice.setAttribute("aria-label", "How fast it is shown");
    this.option("", "");
    for (const factor of FACTORS) this.option(String(factor), factor === 1 ? "True speed" : `${factor}× slower`);
    this.choice.addEventListener("change", () => act.factor(this.choice.value ? Number(this.choice.value) : null));
    this.node.append(this.time, this.slow, this.scrubber, this.choice);
  }

  option(value, text) {
    const option = el("option", "", text);
    option.value = value;
    this.choice.append(option);
  }

  button(name, label, act) {
    const node = iconButton(name, label, act);
    this.node.append(node);
    return node;
  }

  draw(course, clock, { chosen, factor, playing }) {
    setText(this.time, clockWords(clock));
    setText(this.slow, course.slowest > 0 ? factorWords(factor) : "");
    wearPlaying(this.play, playing);
    setText(this.choice.options[0], course.plain ? "Plain in about 12 s" : "In about 12 s");
    const wanted = chosen === null ? "" : String(chosen);
    if (this.choice.value !== wanted) this.choice.value = wanted;
    const place = course.span > 0 ? Math.round((1000 * clock) / course.span) : 0;
    if (Number(this.scrubber.value) !== place) this.scrubber.value = String(place);
    const words = `${clockWords(clock)} of ${clockWords(course.span)}`;
    if (this.scrubber.getAttribute("aria-valuetext") !== words) this.scrubber.setAttribute("aria-valuetext", words);
  }
}
