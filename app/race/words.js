// What is said of a lane, in plain words: pure functions, no DOM.

const PLACES = ["", "1st", "2nd", "3rd", "4th"];

function originWords(origin, lane, looks) {
  const pass = `pass ${origin.round + 1}`;
  return looks[origin.how] && lane.kind !== "plain" ? `${looks[origin.how].mark} ${looks[origin.how].word} in ${pass}` : `written by the target in ${pass}`;
}

function speedupWords(speedup) {
  if (speedup === null) return "";
  return speedup < 1 ? "as fast as plain: slower" : "as fast as plain";
}

function passesWords(lane, now) {
  if (!now.passes) return "";
  if (now.finished && now.saved !== null) {
    return now.saved > 0 ? `saved ${now.saved} of ${now.tokens} target passes` : `no target pass saved: ${now.passes} for ${now.tokens} ${now.tokens === 1 ? "token" : "tokens"}`;
  }
  return `${now.passes} target ${now.passes === 1 ? "pass" : "passes"}`;
}

function trackWords(lane, now) {
  if (now.finished) return `${clockWords(lane.known)}, ${now.tokens} ${now.tokens === 1 ? "token" : "tokens"}`;
  return now.awaited ? lane.say : `${now.tokens} ${now.tokens === 1 ? "token" : "tokens"}`;
}

// One sentence for those who listen, when a lane comes to its end.
function finishWords(lane, now) {
  const place = now.place ? `, ${PLACES[now.place]}` : "";
  const ended = lane.state === "stopped" ? "was stopped" : "finished";
  return `${lane.name} (${lane.words}) ${ended}${place}: ${now.tokens} tokens in ${clockWords(lane.known)}.`;
}

const HOW = {
  rate: "New tokens over engine seconds, by now. The engine's clock runs only while it works: reading the prompt is not counted, nor is your watching.",
  passes: "Passes of the target model so far. Plain decoding needs one for every token, so tokens less passes are what was saved.",
  speedup: "This lane's tokens by now over the plain lane's; at the end, the ratio of the two times for as many tokens. Below 1 it is slower. Plain decoding was measured on this prompt: the same engine, alone.",
};
