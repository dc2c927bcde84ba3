// What is said of recorded costs, in the lesson's language. Pure, no DOM.

import { capitalised } from "../../shared/drafter_text.ts";
import { fixed, parted, several, word } from "../../shared/words.ts";
import { countWords, timeWords } from "../common/quantities.ts";
import type { CostSource, WordPart } from "../lesson_types.ts";
import type { CostCurve, CostPoint } from "./cost_curve.ts";

/** Where the figures come from: the machine, the model, its number format, the processor and the day; or the formula. */
export function machineWords({
  recorded,
  target,
  dtype,
  processor,
  device,
  measured_at: time,
  calculated,
}: CostSource) {
  if (calculated) return calculated;
  const names = [target, dtype, processor || device, time].filter(Boolean).join(", ");
  return word("Measured on {machine}: {names}.", { machine: word(recorded), names });
}

/** How a figure was measured, for those who point at it. */
function howWords(detail: string, source: CostSource) {
  if (source.calculated) return source.calculated;
  const before = several(source.context, "Each text had {n} [token|tokens] before the pass.");
  return `${detail} ${machineWords(source)} ${before}`;
}

/** How a pass was measured: a median. */
export function pointHow({ tokens }: CostPoint, source: CostSource) {
  const pass = several(tokens, "over [one token|{n} tokens]");
  return howWords(word("The median of several passes {pass}.", { pass }), source);
}

/** One pass over n tokens against n passes over one; for several guests the pass over one token for each. */
export function costParts(
  source: CostSource & { experts?: number },
  { points, guests }: CostCurve,
  index: number,
): WordPart[] {
  const [first, point] = [points[0], points[index]];
  const { tokens, v } = point;
  const one = { text: timeWords(first.pass_s), how: pointHow(first, source) };
  const time = { text: timeWords(point.pass_s), how: pointHow(point, source) };
  const ratio = { text: `v(${tokens}) = ${fixed(v, 2)}`, how: "" };
  ratio.how = howWords(word("{many} divided by {one}, both measured.", { many: time.text, one: one.text }), source);
  if (guests) {
    const sentence = several(
      guests,
      "{n} [guest|guests]: one pass over {tokens} tokens [|for each ]takes {time}, over one [token|for each] {one}. {ratio}.",
      { tokens },
    );
    const alone = several(guests, "{n} [guest|guests]: one pass over one token [|for each ]takes {one}.");
    return parted(tokens === 1 ? alone : sentence, { time, one, ratio });
  }
  const experts = expertsWords(point, source);
  if (tokens === 1)
    return [
      ...parted(word("One pass over one token: {one}. All others are compared with it: v(1) = 1."), { one }),
      experts,
    ];
  const many = { text: timeWords(tokens * first.pass_s), how: "" };
  many.how = howWords(word("Calculated: {tokens} times the measured {one}.", { tokens, one: one.text }), source);
  const sentence = word("One pass over {tokens} tokens: {time}. {Count} passes over one token: {many}. {ratio}.", {
    tokens,
    Count: capitalised(countWords(tokens)),
  });
  return [...parted(sentence, { time, many, ratio }), experts];
}

/** How many experts the pass reads, where the model is a mixture of them. */
function expertsWords({ experts: woken }: CostPoint, { experts }: { experts?: number }) {
  if (!experts || !woken) return "";
  const shown = Number(woken.toFixed(1));
  const given = { woken: fixed(shown, shown % 1 ? 1 : 0), experts };
  return ` ${word("It reads {woken} of the {experts} experts of every layer.", given)}`;
}

export function bendWords(curve: CostPoint[], bend: number | null) {
  const most = curve[curve.length - 1].tokens;
  if (bend === null)
    return word("No bend up to {most} tokens: on average, one more token costs less than half of a one-token pass.", {
      most,
    });
  if (bend === 1)
    return word("It rises from the first token on: one more token costs more than half of a one-token pass.");
  return word(
    "It bends at about {bend} tokens: from there on, one more token costs more than half of a one-token pass.",
    { bend },
  );
}

/** What the pass over n tokens saves against n passes. */
export function savedWords({ tokens, v }: CostPoint) {
  return word("✓ saved: {gap} passes", { gap: fixed(tokens - v, 1) });
}
