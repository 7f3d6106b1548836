import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODES, type Mode } from '../base/turn.ts';
import { effectsOf } from '../tools/gate/effect-rows.ts';
import type { FaultRun } from './fault-lab.ts';
import * as fault from './fault-server.ts';
import { lie, type ServerFault } from './lying-server.ts';
import type { Asked, ServerTrial, ServerWorld, Verdict } from './server-faults.ts';

const NOTES = ['first bread.', 'then milk.'] as const;
const DONE = 'All is noted.';
const STILL_HERE = 'Still here.';
const TURN = 'turn_faulty';

interface Way {
  readonly fault: ServerFault;
  readonly mode: Mode;
  /** Which request of the turn meets the fault, from 0. */
  readonly at: number;
  /** Whether the server stays as it is. */
  readonly stays: boolean;
}

/** Turns with two notes whose model's server misbehaves at one of the three requests. */
export function tryModel(faults: readonly ServerFault[]): ServerTrial[] {
  const ways = faults.flatMap((fault) =>
    MODES.flatMap((mode) => [0, 1, 2].flatMap((at) => [true, false].map((stays): Way => ({ fault, mode, at, stays })))),
  );
  const possible = ways.filter(({ fault, at, stays }) => fault !== 'it is not there' || (at === 0 && stays));
  return possible.map((way) => ({
    server: 'model',
    fault: way.fault,
    how: `${way.mode}, request ${way.at + 1}, ${way.stays ? 'from then on' : 'once'}`,
    run: (world) => turnWith(way, world),
  }));
}

async function turnWith(way: Way, { home, server, elsewhere, open, ask }: ServerWorld): Promise<Verdict> {
  const app = await open({
    OPENAI_BASE_URL: server.url,
    OPENAI_MODEL_NAME: 'fault',
    OPENAI_API_KEY: 'sk-faulty-server-key',
    MODEL_FIRST_TOKEN_TIMEOUT_MS: '1500',
    MODEL_IDLE_TIMEOUT_MS: '1500',
    MODEL_TIMEOUT_MS: '6000',
  });
  const steps = stepsIn(way.mode);
  const { port } = server;
  const bad = lie(way.fault, steps[way.at] ?? fault.reset, elsewhere);
  server.play(...steps.slice(0, way.at), bad, ...(way.stays ? [] : steps.slice(way.at)));
  if (way.fault === 'it is not there') await server.stop();
  const asked = await ask(app, 'Note the bread and the milk.', way.mode, TURN);
  const journal = join(home, 'projects', 'home', 'home.md');
  const times = () => NOTES.map((text) => timesIn(journal, text));
  const before = times();
  const confirmed = NOTES.map((text) => isConfirmed(asked, text));
  const rows = (await effectsOf(app.store, TURN)).filter(({ state }) => state === 'done');
  const recorded = NOTES.map((text) => rows.some(({ input }) => JSON.stringify(input).includes(text)));
  if (way.fault === 'it is not there') await server.start(port);
  // Whoever resumes has a model that makes all calls again.
  const resumes = (await app.turns.archive.interruptedIn('conv_1')) !== undefined;
  server.play(...steps);
  if (resumes) await ask(app, 'Note the bread and the milk.', way.mode, TURN);
  const after = times();
  server.play(fault.ok(STILL_HERE));
  const next = await ask(app, 'Are you there?', way.mode);
  return { wrong: [...wrongNotes({ before, after, confirmed, recorded }), ...wrongEnd(asked, next)], unknown: false };
}

function stepsIn(mode: Mode): fault.Behaviour[] {
  const notes = NOTES.map((text) =>
    mode === 'code_agent'
      ? fault.ok(`\`\`\`js\nawait writeNote(${JSON.stringify(text)});\n\`\`\``)
      : fault.ok('', { calls: [{ name: 'write_note', args: JSON.stringify({ text }) }] }),
  );
  return [...notes, fault.ok(DONE)];
}

function timesIn(journal: string, text: string): number {
  return existsSync(journal) ? readFileSync(journal, 'utf8').split(text).length - 1 : 0;
}

function isConfirmed({ events }: Asked, text: string): boolean {
  return events.some(
    (event) =>
      event.type === 'tool' && event.ok && event.name === 'write_note' && JSON.stringify(event.input).includes(text),
  );
}

interface Notes {
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly confirmed: readonly boolean[];
  readonly recorded: readonly boolean[];
}

function wrongNotes({ before, after, confirmed, recorded }: Notes): Verdict['wrong'] {
  return NOTES.flatMap((text, index) => {
    const wrong: [FaultRun['broken'][number], string][] = [];
    if (confirmed[index] && before[index] === 0) wrong.push(['lost', `${text} was confirmed`]);
    if ((before[index] ?? 0) > 0 !== recorded[index]) wrong.push(['hidden', `the record of ${text}`]);
    if ((after[index] ?? 0) > 1) wrong.push(['doubled', text]);
    return wrong;
  });
}

/** Half an answer never passes for a whole one, a failure has its reason, and the conversation goes on. */
function wrongEnd({ answer, events }: Asked, next: Asked): Verdict['wrong'] {
  const wrong: [FaultRun['broken'][number], string][] = [];
  const told = events.some(({ type }) => type === 'error');
  const isHalf = answer.stop === 'answered' && answer.text !== DONE && DONE.startsWith(answer.text.trim());
  if (isHalf && !told) wrong.push(['hidden', `half an answer: ${answer.text}`]);
  if (answer.stop !== 'answered' && !told) wrong.push(['hidden', `no reason for ${answer.stop}`]);
  if (next.answer.text !== STILL_HERE) wrong.push(['lost', `the conversation ended: ${next.answer.text}`]);
  return wrong;
}
