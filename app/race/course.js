// Where every lane stands at a moment of the one clock they share: pure functions of (course, clock), no DOM, no time of
// their own. The clock counts seconds of the engine; each lane began at 0 and ran alone.

const PLAIN_LASTS = 12;
const ROUND_NUMBERS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
const CLOSED = ["done", "stopped"];

// ---------------------------------------------------------------- reading what came

// A lane: when each of its rounds ended, how many tokens there were by then, and every token with its origin.
function readLane(lane) {
  const ends = [], sums = [], ids = [], origins = [];
  lane.rounds.forEach(([ended, tokens, hows], index) => {
    ends.push(ended);
    tokens.forEach((id, i) => {
      ids.push(id);
      origins.push({ how: hows[i], round: index });
    });
    sums.push(ids.length);
  });
  const known = ends.length ? ends[ends.length - 1] : 0;
  return { ...lane, ends, sums, ids, origins, known, total: ids.length, closed: CLOSED.includes(lane.state) && ends.length > 0 };
}

function readCourse(view) {
  const lanes = view.lanes.map(readLane);
  const plain = view.race ? lanes.find((lane) => lane.kind === "plain") || null : null;
  const known = Math.max(0, ...lanes.map((lane) => lane.known));
  const measured = lanes.find((lane) => lane.closed);
  for (const lane of lanes) lane.goal = lane.closed ? lane.total : Math.max(lane.total, measured ? measured.total : lane.asked, 1);
  const course = { ...view, lanes, plain, known };
  course.slowest = slowestOf(course);
  course.span = Math.max(known, lanes.every((lane) => lane.closed) ? 0 : course.slowest);
  return course;
}

// How long the plain lane lasts; until it is recorded, how long it would at the rate measured when the pair was loaded.
// Without a plain lane, how long the longest lane lasts.
function slowestOf(course) {
  const { plain } = course;
  if (!plain || (!plain.closed && !(course.live && course.plain_rate))) return course.known;
  return plain.closed ? plain.known : Math.max(plain.known, plain.goal / course.plain_rate);
}

// ---------------------------------------------------------------- the clock

// How many times slower than the engine the race is shown by default: a round number that lets the plain lane last
// about twelve seconds, never quicker than it was.
function factorFor(course) {
  const exact = course.slowest > 0 ? PLAIN_LASTS / course.slowest : 1;
  if (exact <= 1) return 1;
  const ten = 10 ** Math.floor(Math.log10(exact));
  const apart = (n) => Math.abs(Math.log(exact / (n * ten)));
  return ten * ROUND_NUMBERS.reduce((best, n) => (apart(n) < apart(best) ? n : best));
}

function factorWords(factor) {
  return factor <= 1 ? "true speed" : `${Number(factor.toPrecision(2))}× slower than real`;
}

function clockWords(seconds) {
  return `${Math.round(seconds * 1000)} ms`;
}

// The next moment at which a lane gains tokens, or the one before.
function stopBeside(course, clock, by) {
  const moments = course.lanes.flatMap((lane) => lane.ends);
  if (by > 0) return Math.min(course.known, ...moments.filter((t) => t > clock + 1e-6));
  return Math.max(0, ...moments.filter((t) => t < clock - 1e-6));
}

// ---------------------------------------------------------------- a lane at a moment

function laneAt(course, lane, clock) {
  const passes = countUpTo(lane.ends, clock);
  const tokens = passes ? lane.sums[passes - 1] : 0;
  const finished = lane.closed && passes === lane.ends.length;
  return {
    tokens, passes, finished,
    share: tokens / lane.goal,
    rate: passes && lane.ends[passes - 1] > 0 ? tokens / lane.ends[passes - 1] : null,
    awaited: !lane.closed && clock >= lane.known,  // the clock is past what has been recorded of it
    saved: lane.kind === "plain" ? null : tokens - passes,
    place: finished ? placeOf(course, lane) : null,
    speedup: speedupAt(course, lane, clock, tokens, finished),
  };
}

// Its place among those that came to the finish; null where a lane that may yet beat it is still being recorded.
function placeOf(course, lane) {
  if (!course.race || course.lanes.length < 2 || lane.state !== "done") return null;
  const others = course.lanes.filter((other) => other !== lane && !["missing", "stopped"].includes(other.state));
  if (!others.length || others.some((other) => !other.closed && other.known <= lane.known)) return null;
  return 1 + others.filter((other) => other.closed && other.known < lane.known).length;
}

// While both go on, its tokens by now over the plain lane's; once one has come to its end, the ratio of the two times
// for as many tokens as both have. Null until there is something to compare.
function speedupAt(course, lane, clock, tokens, finished) {
  const { plain } = course;
  if (!plain || plain === lane || !tokens) return null;
  const over = finished || (plain.closed && clock >= plain.known);
  if (!over) {
    if (!plain.closed && plain.known < clock) return null;
    const made = countUpTo(plain.ends, clock);
    return made ? tokens / plain.sums[made - 1] : null;
  }
  const common = Math.min(lane.total, plain.total);
  if (plain.total < lane.total && plain.state !== "done") return null;
  const at = (one) => one.ends[one.sums.findIndex((sum) => sum >= common)];
  return common ? at(plain) / at(lane) : null;
}
