// Ratings by glicko2-lite: see PROVENANCE.md.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
const glicko2 = createRequire(import.meta.url)("glicko2-lite");

const votes = readFileSync("votes.csv", "utf8").trim().split(/\r?\n/).slice(1).map((l) => l.split(","));
const state = {};
const last = Math.max(...votes.map((v) => Number(v[0])));
for (let period = 0; period <= last; period += 1) {
  const now = votes.filter((v) => Number(v[0]) === period);
  const before = structuredClone(state);
  const newcomer = { rating: 1500, rd: 350, vol: 0.06 };
  const games = {};
  for (const [, a, b, outcome] of now) {
    const score = outcome === "a" ? 1 : outcome === "b" ? 0 : 0.5;
    const of = (m) => before[m] ?? newcomer;
    (games[a] ??= []).push([of(b).rating, of(b).rd, score]);
    (games[b] ??= []).push([of(a).rating, of(a).rd, 1 - score]);
  }
  for (const model of new Set([...Object.keys(state), ...Object.keys(games)])) {
    const { rating, rd, vol } = before[model] ?? newcomer;
    if (games[model]) {
      state[model] = glicko2(rating, rd, vol, games[model]);
    } else {
      // step 6 alone: the deviation of a player without games grows
      const grown = Math.sqrt((rd / 173.7178) ** 2 + vol ** 2) * 173.7178;
      state[model] = { rating, rd: grown, vol };
    }
  }
}
const rows = Object.keys(state).sort().map((m) => [m, state[m].rating, state[m].rd, state[m].vol].join(","));
writeFileSync("expected_glicko2.csv", ["model,rating,deviation,volatility", ...rows].join("\n") + "\n");
