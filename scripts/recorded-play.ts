import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  figuresOf,
  PLAYERS,
  type Played,
  type Player,
  playRecorded,
  recordedTasks,
} from '../src/testing/recorded/play.ts';

/** The most requests of a turn. */
const BARS = { classic_tools: 1.9, code_agent: 1.4 } as const;

/** Plays the recorded conversations of a capable and a weak model, and prints what they took against the bars. */
const home = mkdtempSync(join(tmpdir(), 'wooster-recorded-'));
const only = process.argv.slice(2);
const tasks = (await recordedTasks()).filter(({ id }) => only.length === 0 || only.includes(id));
const played: Played[] = [];
for (const player of Object.keys(PLAYERS) as Player[])
  played.push(...(await playRecorded(join(home, player), player, { tasks })));
rmSync(home, { recursive: true, force: true });

for (const run of played.filter(({ ok, requests, recorded }) => !ok || requests !== recorded)) {
  console.log(`${run.player} ${run.mode} ${run.task}: ${run.requests} requests, ${run.recorded} recorded`);
  console.log(`  ${[...run.failed, run.lastSent.slice(-1500)].join('\n  ')}`);
}
const figures = figuresOf(played);
console.table(figures.map((row) => ({ ...row, requestsPerTurn: row.requestsPerTurn.toFixed(2), bar: BARS[row.mode] })));
