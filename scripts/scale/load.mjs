/** A day of many users, each with an object of their own: how many are awake, and how much they ask for. */
import { random } from "../random.mjs";

/** How users are taken to behave. All of it is assumed, not measured. */
export const HABITS = {
  /** The share of all users who come on a day. */
  activeShare: 0.2,
  /** Sessions of an active user on a day, on average. */
  sessions: 2,
  /** Turns of a session, on average. */
  turns: 8,
  /** Seconds between the turns of a session: the median; one in six waits more than e times as long. */
  thinkSeconds: 45,
  /** Calls of the object per turn: one recalls, one remembers. */
  callsPerTurn: 2,
  /** Wall-clock seconds that the object works for a turn. */
  workSeconds: 0.05,
  /** Seconds that the object works in the session's one request to a model, most of them waiting. */
  learnSeconds: 6,
  /** How much busier the busiest hour of a day is than the average: users of a continent. */
  peak: 1.8,
};

const DAY_SECONDS = 86_400;
const SPAN_SECONDS = 900;

/**
 * Plays a day.
 *
 * @param {number} users whose day is played; a sample stands for more, as users do not know of each other
 * @param {object} given `idleSeconds` after a call during which an object is awake; `seed`
 * @returns {object} per user and day: `calls`, `sessions`, `turns`, `awakeSeconds`; and of all at once: `awake` and
 *   `callsPerSecond`, both on average over the busiest quarter of an hour
 */
export function playDay(users, { idleSeconds, seed, habits = HABITS }) {
  const next = random(seed);
  const awake = new Int32Array(DAY_SECONDS + 1);
  const calls = new Int32Array(DAY_SECONDS);
  const total = { calls: 0, sessions: 0, turns: 0, awakeSeconds: 0 };
  const stay = (from, to) => {
    total.awakeSeconds += to - from;
    awake[Math.floor(from) % DAY_SECONDS] += 1;
    awake[Math.floor(to) % DAY_SECONDS] -= 1;
    if (Math.floor(to / DAY_SECONDS) > Math.floor(from / DAY_SECONDS)) awake[0] += 1;
  };
  for (let user = 0; user < users; user += 1) {
    if (next() >= habits.activeShare) continue;
    const sessions = 1 + geometric(next, habits.sessions - 1);
    total.sessions += sessions;
    for (let session = 0; session < sessions; session += 1) {
      let time = hour(next, habits.peak) * 3600 + next() * 3600;
      const turns = 1 + geometric(next, habits.turns - 1);
      total.turns += turns;
      let from = time;
      for (let turn = 0; turn < turns; turn += 1) {
        const until = time + habits.workSeconds + idleSeconds;
        calls[Math.floor(time) % DAY_SECONDS] += habits.callsPerTurn;
        total.calls += habits.callsPerTurn;
        const pause = habits.thinkSeconds * Math.exp(normal(next));
        if (turn === turns - 1 || time + pause > until) {
          stay(from, until);
          from = time + pause;
        }
        time += pause;
      }
      // A minute after the last turn an alarm learns from the session.
      stay(time + 60, time + 60 + habits.learnSeconds);
    }
  }
  for (let second = 1; second < DAY_SECONDS; second += 1) awake[second] += awake[second - 1];
  const perUser = Object.fromEntries(Object.entries(total).map(([name, value]) => [name, value / users]));
  return { ...perUser, awake: busiest(awake) / users, callsPerSecond: busiest(calls) / users };
}

/** The average over the busiest span of fifteen minutes. */
function busiest(seconds) {
  let most = 0;
  for (let start = 0; start < DAY_SECONDS; start += SPAN_SECONDS) {
    let sum = 0;
    for (let second = start; second < start + SPAN_SECONDS; second += 1) sum += seconds[second];
    most = Math.max(most, sum / SPAN_SECONDS);
  }
  return most;
}

/** A number from 0 with this mean, each further one as likely as the last. */
function geometric(next, mean) {
  if (mean <= 0) return 0;
  return Math.floor(Math.log(1 - next()) / Math.log(mean / (1 + mean)));
}

function normal(next) {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}

/** An hour of the day: a wave whose crest is `peak` times the average. */
function hour(next, peak) {
  for (;;) {
    const found = next() * 24;
    const density = 1 + (peak - 1) * Math.cos(((found - 20) / 24) * 2 * Math.PI);
    if (next() * peak < density) return Math.floor(found);
  }
}
