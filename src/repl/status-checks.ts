import { counted } from '../base/text.ts';
import type { Check } from '../face/app.ts';
import type { Status } from '../face/status-report.ts';
import { findingsOf, type StoreFacts } from '../store/check.ts';

/** Sending is tried every few seconds, jobs every second. */
const LATE_MS = 60_000;
/** An index follows its documents while they are read in; a search reads what it lacks. */
const FAR_BEHIND = 1000;

/** The doctor's lines about the store, and about what is late. */
export function checkStatus({ store, runs, outbox, serving, clockReturn, index }: Status): Check[] {
  return [
    { name: 'store', state: 'ok', detail: storeLine(store) },
    ...findingsOf(store).map(
      ({ severe, problem, hint }): Check => ({ name: 'store', state: severe ? 'fail' : 'warn', detail: problem, hint }),
    ),
    servingLine(serving, runs),
    late('jobs', { waiting: runs.due, noun: 'run', oldestDueMs: runs.oldestDueMs }),
    ...clockLines(clockReturn),
    late('outbox', { waiting: outbox.pending, noun: 'message part', oldestDueMs: outbox.oldestDueMs }),
    ...index.filter(({ behind }) => behind > FAR_BEHIND).map(behindLine),
  ];
}

/** Who serves the home, since when, and what came and comes. */
export function servingText(serving: Status['serving'], { lastRun, nextRun }: Status['runs']): string {
  const [first, ...others] = serving;
  const kind = first?.kind === 'server' ? '`wooster serve`' : `a ${first?.kind}`;
  const who = first
    ? `${kind}, process ${first.pid} on ${first.host} since ${first.since}`
    : 'nobody is serving: jobs run only while a prompt is open';
  const more = others.length > 0 ? ` and ${counted(others.length, 'other program')}` : '';
  return `${who}${more}; last run ${lastRun ?? 'never'}, next run ${nextRun ?? 'none'}`;
}

function servingLine(serving: Status['serving'], runs: Status['runs']): Check {
  const detail = servingText(serving, runs);
  if (serving.length > 0) return { name: 'serving', state: 'ok', detail };
  return {
    name: 'serving',
    state: runs.nextRun === null ? 'off' : 'warn',
    detail,
    hint: 'Run: wooster service install',
  };
}

/** What an index lacks. */
export function behindText(behind: number): string {
  return behind === 0 ? 'up to date' : `${counted(behind, 'change')} of the documents behind, which a search reads too`;
}

/** The version, size and speed of a store in one line. */
export function storeLine({ kind, version, schema, bytes, selectMs, server }: StoreFacts): string {
  const name = kind === 'sqlite' ? 'SQLite' : 'PostgreSQL';
  const size = `${(bytes / 1e6).toFixed(1)} MB`;
  const common = `${name} ${version}, tables of version ${schema}, ${size}, ${selectMs} ms a read`;
  if (!server) return common;
  const { connections, locksWaiting } = server;
  return `${common}, ${connections.used} of ${connections.max} connections, ${locksWaiting} waiting for locks`;
}

function late(
  name: string,
  { waiting, noun, oldestDueMs }: { waiting: number; noun: string; oldestDueMs: number | null },
): Check {
  const detail = `${counted(waiting, noun)} waiting`;
  if (oldestDueMs === null || oldestDueMs < LATE_MS) return { name, state: 'ok', detail };
  const hint = 'Nothing takes it up: start `wooster serve`, or look at logs/.';
  return { name, state: 'warn', detail: `${detail}, due for ${Math.round(oldestDueMs / 1000)} s`, hint };
}

function clockLines(jump: string | null): Check[] {
  if (jump === null) return [];
  const detail = `the clock was days ahead and came back at ${jump}; jobs were planned anew`;
  return [{ name: 'clock', state: 'warn', detail, hint: 'Let NTP set it; `wooster schedule list` shows the times.' }];
}

function behindLine({ project, behind }: Status['index'][number]): Check {
  return {
    name: 'index',
    state: 'warn',
    detail: `${project}: ${behindText(behind)}`,
    hint: `Run: wooster ingest --project ${project}`,
  };
}
