// What is said of a moment, in plain words: pure functions of (run, position), no DOM.

// A token in a sentence; one that no tokenizer has, longer than a line, is cut.
function quoted(run, id) {
  const { text } = tokenLabel(run.bytes, id);
  return `“${text.length > 60 ? `${[...text].slice(0, 40).join("")}…` : text}”`;
}

function milliseconds(seconds) {
  return `${(seconds * 1000).toFixed(1)} ms`;
}

// The refused token at which the accepted path ended, -1 where there is none: in a tree others may have been refused before.
function wallOf(round) {
  const end = round.accepted.length ? round.accepted[round.accepted.length - 1] : -1;
  return round.drafted.findLastIndex((d) => d.verdict === "rejected" && d.parent === end);
}

// How many guesses were refused at the place of this one, itself included.
function refusedBeside(round, place) {
  return round.drafted.filter((d) => d.verdict === "rejected" && d.parent === round.drafted[place].parent).length;
}

// One sentence for the phase that is going on.
function captionOf(run, position) {
  const round = run.rounds[position.index];
  if (!round) return "A small model types ahead; a large one checks all of it in one pass.";
  const drafts = round.drafted.length;
  const wall = wallOf(round);
  if (position.phase === "draft") return draftingOf(run.manner, drafts);
  if (position.phase === "verify") return verifyingOf(run.manner, drafts);
  if (position.phase === "judge") {
    const guesses = wall < 0 ? 0 : refusedBeside(round, wall);
    if (guesses > 1 && slotAt(round, position, wall).told) return `The target refuses ${quoted(run, round.drafted[wall].token)} too: none of the ${guesses} guesses there can stand.`;
    if (guesses && slotAt(round, position, wall).told) return `The target refuses ${quoted(run, round.drafted[wall].token)}: nothing behind it can stand.`;
    if (branches(round)) return "From the root down: which of these would the target have written?";
    return "From left to right: would the target have written this too?";
  }
  if (position.ended && run.finished) return endOf(run);
  if (!round.closing) return "The text has come to its end.";
  const refused = round.closing.how === "corrected" ? refusedBeside(round, wall) : 0;
  if (refused > 1) return `None of the ${refused} guesses there could stand: the target puts its own ${quoted(run, round.closing.token)} in their place.`;
  if (refused) return `The target puts its own ${quoted(run, round.closing.token)} in place of ${quoted(run, round.drafted[wall].token)}.`;
  if (!drafts) return `The target writes ${quoted(run, round.closing.token)}.`;
  if (round.accepted.length < drafts) return `The accepted path of ${round.accepted.length} has come to its end: the same pass gives ${quoted(run, round.closing.token)} as a bonus.`;
  return `${drafts === 1 ? "The draft was" : `All ${drafts}`} accepted: the same pass gives ${quoted(run, round.closing.token)} as a bonus.`;
}

// How the run ended, and whether the text is the one that plain decoding wrote.
function endOf(run) {
  const ends = {
    end_of_text: "The model ended its text.",
    length: "The length asked for is reached.",
    cancelled: "Stopped: this is the part that was written.",
  };
  if (run.replanned) return `With k = ${run.k} the same text takes ${run.rounds.length} passes of the target (${REPLANNED}).`;
  if (run.manner.lossy) return `${ends[run.stop]} ${run.manner.lossy}: it is not the text of the target alone, nor drawn from its distribution.`;
  const parting = partingOf(run);
  if (parting === null) return ends[run.stop];
  if (parting < 0) return `${ends[run.stop]} Plain decoding wrote the same, token for token${run.manner.noise ? ", with the same noise" : ""}.`;
  const gap = run.plainGaps[parting];
  const tie = gap === null ? "" : `, where its two best logits were ${number(gap, 4)} apart`;
  return `${ends[run.stop]} Plain decoding parts from it at token ${parting + 1}${tie}: ${run.card.dtype} rounds one token otherwise than several.`;
}

// One sentence for those who listen.
function summaryOf(run, looks, index) {
  const round = run.rounds[index];
  const own = round.closing ? `, ${looks[round.closing.how].word}: ${tokenLabel(run.bytes, round.closing.token).text}` : "";
  return `${run.replanned ? "Replanned round" : "Round"} ${index + 1}: ${round.accepted.length} of ${round.drafted.length} drafts accepted${own}.`;
}

// The numbers behind one slot, as far as the round has come.
function explanationOf(run, position, slot) {
  const round = run.rounds[position.index];
  if (round && slot === "closing") return position.landed ? closingReason(run, round) : null;
  const drafted = round && round.drafted[slot];
  if (!drafted || slot >= position.typed) return null;
  if (run.replanned) return position.swept ? reasonOf(run, round, slot) : null;
  const copied = run.manner.kind === "ngram";
  const greedy = run.manner.certain && Number.isFinite(copied ? drafted.pAtOne : drafted.qAtOne);
  const [q, p] = greedy ? [copied ? 1 : drafted.qAtOne, drafted.pAtOne] : [drafted.q, drafted.p];
  const { told } = slotAt(round, position, slot);
  const at = greedy ? " at temperature 1" : run.temperature === 0 ? " at temperature 0" : run.manner.noise ? " with the noise" : "";
  const parts = [`${quoted(run, drafted.token)}: ${copied ? "it was copied, so q = 1" : `the draft gives it q = ${number(q, 3)}${at}`}`];
  if (position.swept) parts.push(`the target p = ${number(p, 3)}${copied ? at : ""}`);
  if (told && drafted.verdict === "discarded") parts.push("it was never judged");
  else if (told) parts.push(`${ruleOf(run, drafted)}: ${drafted.verdict}`);
  return `${parts.join(", ")}.`;
}

function ruleOf(run, drafted) {
  const { rule, noise, lenience } = run.manner, stands = drafted.verdict === "accepted";
  if (rule === "typical") return stands ? "which the typical rule (LOSSY) finds plausible enough" : "which even the typical rule (LOSSY) does not find plausible";
  if (rule === "lenient" && Number.isFinite(drafted.u)) {
    return `the draw u = ${number(drafted.u, 3)} ${stands ? "<" : "≥"} p/(l·q) = ${number(drafted.p / (lenience * drafted.q), 3)} (LOSSY)`;
  }
  if (drafted.u === null || drafted.u === undefined) {
    const choice = noise ? "the target's choice with the same noise" : "the target's first choice";
    return stands ? `and it is ${choice}` : `but it is not ${choice}`;
  }
  return `the draw u = ${number(drafted.u, 3)} ${drafted.verdict === "accepted" ? "<" : "≥"} p/q = ${number(drafted.p / drafted.q, 3)}`;
}

// What the stage says before there is a round to show, and of how a run came to be.
function noteOf(run, view) {
  const waits = { queued: "Waiting in line", loading: "Getting the models ready", running: "Reading the prompt" };
  const stopped = run.stop === "cancelled" ? "Stopped: this is the part that was written." : "";
  if (view.origin && run.rounds.length) {
    const invitation = view.status === "opened" ? "Press Run for one of your own." : "";
    return [`${view.origin} (${run.card.dtype}, ${run.card.device}).`, stopped, invitation].filter(Boolean).join(" ");
  }
  if (run.rounds.length && stopped) return stopped;
  if (run.rounds.length) return "";
  if (!waits[view.status]) return "Press Run to watch two models write.";
  return `${waits[view.status]}${view.place ? `: ${view.place} before you` : ""}${view.what ? `: ${view.what}` : ""} …`;
}
