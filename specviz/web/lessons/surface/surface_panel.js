// Chapter 10: what a pass costs by guests and tokens, when speculation should be switched off, and which task should use it.

/** @import { BatchResult, MeasuredOptions } from "../types" */
/** @import { Surface } from "./surface.js" */
/** @import { SurfaceView } from "./surface_map.js" */
/** @import { Task } from "./surface_text.js" */

import { button, el, setText } from "../../shared/dom.js";
import { explain } from "../../shared/notes.js";
import { english, fixed, several, word } from "../../shared/words.js";
import { dress, furnish } from "../common/explorable_frame.js";
import { LETTER_RANGES } from "../common/formula_letters.js";
import { stretch, UnseenTable } from "../common/measured_parts.js";
import { timeWords } from "../common/quantities.js";
import { expectedSpeedup } from "../common/theory.js";
import { Choices, Dragger, legendOf } from "../common/widgets.js";
import { disturbedWords, machineWords } from "../measured/measured_text.js";
import { bestAt, lettersAt, surfaceOf } from "./surface.js";
import { SurfaceMap } from "./surface_map.js";
import { betweenWords, payVerdict, routeWords, speedupHow, switchWords, tasksOf, taskWords } from "./surface_text.js";

/** @type {Record<SurfaceView, string>} */
const VIEWS = { cost: english("cost of the pass (measured)"), speedup: english("speedup (calculated)") };
const VIEW_NAMES = /** @type {SurfaceView[]} */ (["cost", "speedup"]);

export class SurfacePanel {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    const { body, note } = furnish(element, word("The cost of a pass over guests and tokens, with the speedup on it"));
    body.classList.add("measured-body");
    this.note = note;
    this.figure = el("b", "measured-headline-figure", "");
    this.verdict = el("span", "", "");

    this.headline = el("p", { class: "measured-headline", "aria-live": "polite" }, this.figure, this.verdict);
    this.off = el("b", "", "");
    this.between = el("span", "", "");
    this.limits = el("p", "measured-words", this.off, this.between);
    this.warning = el("p", "measured-warning", "");
    this.views = new Choices("What a cell shows", (/** @type {SurfaceView} */ name) => {
      this.view = name;
      this.render();
    });
    this.views.node.classList.add("view-row");
    this.views.offer(VIEW_NAMES);
    this.map = new SurfaceMap((guests) => this.set(guests, this.alpha));
    this.guestDragger = new Dragger(word("guests"), { min: 1, max: 2, step: 1, page: 4 }, (b) =>
      this.set(b, this.alpha),
    );
    this.alphaDragger = new Dragger(word("α, your assumption"), LETTER_RANGES.alpha, (alpha) =>
      this.set(this.guests, alpha),
    );
    this.legend = legendOf([
      ["accepted", "✓", "pays"],
      ["rejected", "✕", word("slower than plain")],
      ["star", "★", word("best k")],
      ["edge", "┅", word("where it stops paying")],
    ]);
    this.unit = el("span", "key-of", word("1.0×: one guest, one token"));
    this.legend.append(this.unit);
    this.routes = el("div", "route-rows");
    this.table = new UnseenTable();
    this.controls = el("div", "surface-controls", this.guestDragger.node, this.alphaDragger.node);
    body.append(this.warning, this.headline, this.limits, this.controls, this.views.node, this.map.node);
    body.append(this.legend, this.routes, this.table.node);
    /** @type {SurfaceView} */
    this.view = "cost";
    /** @type {BatchResult | null} */
    this.result = null;
    /** @type {Surface | null} */
    this.surface = null;
    /** @type {Task[]} */
    this.tasks = [];
    this.guests = 1;
    /** The acceptance rate; below 0 until the lesson's is known. */
    this.alpha = -1;
  }

  /** @param {BatchResult | null} result @param {string} problem @param {MeasuredOptions} options */
  show(result, problem, options) {
    this.result = result;
    this.surface = result && surfaceOf(result);
    this.tasks = tasksOf(options.dots);
    if (this.alpha < 0) this.alpha = this.tasks[0].alpha;
    for (const part of [this.figure, this.controls, this.views.node, this.legend, this.routes, this.limits])
      part.hidden = !result;
    setText(this.warning, result ? disturbedWords(result) : problem);
    this.warning.hidden = !this.warning.textContent;
    if (result && this.surface) this.receive(result, this.surface);
    else {
      setText(this.verdict, word("With how many guests does speculation stop paying?"));
      this.headline.dataset.state = "none";
      this.map.show(null);
      this.table.empty();
    }
    dress(this.element, this.note, options, result ? machineWords(result) : "");
  }

  /** @param {BatchResult} result @param {Surface} surface */
  receive(result, { guests }) {
    const [least, most] = [guests[0], guests[guests.length - 1]];
    stretch(this.guestDragger, { min: least, max: Math.max(least + 1, most), step: 1, page: 4 });
    this.guestDragger.node.hidden = guests.length < 2;
    this.guests = Math.min(most, Math.max(least, this.guests));
    this.alphaDragger.node.hidden = !result.draft_pass_s.length;
    this.routes.hidden = !result.draft_pass_s.length;
    this.rows = this.tasks.map((task) => {
      const { text, how } = taskWords(task);
      const row = { task, outcome: el("b", "route-outcome", ""), node: el("div", "route-row") };
      const use = button("chip", text, () => this.set(this.guests, task.alpha));
      explain(use, how);
      row.node.append(use, row.outcome);
      return { ...row, use };
    });
    this.routes.replaceChildren(...this.rows.map(({ node }) => node));
    this.render();
  }

  /** @param {number} guests @param {number} alpha */
  set(guests, alpha) {
    this.guests = guests;
    this.alpha = alpha;
    this.render();
  }

  render() {
    const { result, surface, guests, alpha, view } = this;
    if (!result || !surface) return;
    const best = bestAt(surface, guests, alpha);
    const { mark, figure, words, state } = payVerdict(best);
    setText(this.figure, `${mark} ${figure}`.trim());
    explain(this.figure, best ? speedupHow(result, surface, guests, best) : "");
    setText(this.verdict, several(guests, "for {n} guest {words}", "for {n} guests {words}", { words }));
    this.headline.dataset.state = state;
    setText(this.off, switchWords(surface, alpha));
    setText(this.between, ` ${betweenWords(surface, guests)}`);
    this.guestDragger.show(guests, String(guests));
    this.alphaDragger.show(alpha, fixed(alpha, 2));
    for (const name of VIEW_NAMES) this.views.show(name, { text: word(VIEWS[name]), chosen: name === view });
    this.unit.hidden = view !== "cost";
    for (const { task, outcome, use } of this.rows ?? []) {
      const found = bestAt(surface, guests, task.alpha);
      const { text, state: advice } = routeWords(found);
      setText(outcome, text);
      explain(outcome, found ? speedupHow(result, surface, guests, found) : "");
      outcome.dataset.state = advice;
      use.setAttribute("aria-pressed", String(Math.abs(task.alpha - alpha) < 0.005));
    }
    this.map.show({ result, surface, alpha, guests, view });
    this.describe(result, surface, alpha);
  }

  /**
   * The map as a table, for those who hear it.
   * @param {BatchResult} result
   * @param {Surface} surface
   * @param {number} alpha
   */
  describe({ points }, surface, alpha) {
    const rows = points.map(({ guests, tokens, pass_s }) => {
      const letters = tokens > 1 ? lettersAt(surface, guests, tokens - 1, alpha) : null;
      const speedup = letters
        ? `${fixed(expectedSpeedup(letters), 2)}×`
        : tokens === 1
          ? word("plain decoding")
          : word("not known");
      return [String(guests), String(tokens), timeWords(pass_s), speedup];
    });
    this.table.fill(
      word("Passes by guests and tokens"),
      [word("guests"), word("tokens for each"), word("time, measured"), word("speedup, calculated")],
      rows,
    );
  }
}
