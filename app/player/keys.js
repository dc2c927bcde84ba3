// The keyboard of the stage: which key does what, and which are somebody else's. What they do is the stage's own business.

const SLIDER_KEYS = ["ArrowLeft", "ArrowRight", "Home", "End"];

// Key -> what it does; a part that a lesson leaves out has no key either.
function keysOf(stage) {
  const unless = (part, act) => () => stage.hidden.includes(part) || act();
  return {
    " ": () => stage.toggle(),
    ArrowRight: () => stage.step(1),
    ArrowLeft: () => stage.step(-1),
    ".": () => stage.phase(1),
    ",": () => stage.phase(-1),
    n: () => stage.rejection(1),
    N: () => stage.rejection(-1),
    Home: () => stage.seek(0),
    End: () => stage.seekOn(stage.plan.end),
    "]": unless("pace", () => stage.shiftPace(1)),
    "[": unless("pace", () => stage.shiftPace(-1)),
    w: () => stage.toggleWhy(),
    b: unless("rounds", () => stage.toggleRounds()),
    k: unless("whatif", () => stage.whatIf.toggle()),
    p: unless("predict", () => stage.togglePredict()),
    "?": unless("keys", () => stage.help.toggle()),
    Escape: () => closeTopmost(stage),
    ...(stage.presented ? { PageDown: () => presentersKey(stage, 1), PageUp: () => presentersKey(stage, -1) } : {}),
    ...Object.fromEntries(Array.from("0123456789", (digit) => [digit, () => betByKey(stage, Number(digit))])),
  };
}

function hearKey(stage, event) {
  const { key, target } = event;
  if (target.matches("select, textarea") || event.metaKey || event.ctrlKey || event.altKey) return;
  if (target.matches("input") && SLIDER_KEYS.includes(key)) return;
  if (key === " " && target.tagName === "BUTTON") return;
  const act = keysOf(stage)[key];
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

// A button of a presenter's remote control.
function presentersKey(stage, by) {
  if (by > 0 && PACES[stage.pace].byHand) stage.playPhase();
  else stage.step(by);
}

function betByKey(stage, guess) {
  const { run, plan, clock, bets } = stage;
  const position = positionAt(run, plan, clock);
  if (!bets.asks(run, plan, position, clock)) return;
  if (run.rounds[position.index].drafted.length < 10) bets.bet(run, position.index, guess);
}

function closeTopmost(stage) {
  if (!stage.help.node.hidden) stage.help.toggle(false);
  else if (stage.whatIf.open) stage.whatIf.toggle();
  else stage.closeWhy();
}
