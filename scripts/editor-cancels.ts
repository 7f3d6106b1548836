/**
 * Prompts over the real program that are cancelled at moments chosen by chance: `npm run test:cancels -- [ROUNDS]`.
 * None may stay without an answer, and nothing may be done after one.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cancelPrompts } from '../src/testing/editor-cancels.ts';
import { startEditor } from '../src/testing/editor-connection.ts';
import { type Behaviour, FaultServer, ok } from '../src/testing/fault-server.ts';

const rounds = Number(process.argv[2] ?? 1000);
/** Long enough for every turn. */
const HANG_MS = 30_000;
/** About what a whole prompt takes. */
const LONGEST_MS = 250;

const home = mkdtempSync(join(tmpdir(), 'wooster-cancels-'));
const journal = join(home, 'projects/home/home.md');
const effects = () => (existsSync(journal) ? readFileSync(journal, 'utf8').length : 0);
const patience = (answer: Promise<unknown>) => Promise.race([answer, sleep(HANG_MS, 'hung', { ref: false })]);
/** A call, and words after its result. */
const noting: Behaviour = (response, request) => {
  const messages = request.body.messages as readonly { readonly role: string }[];
  const call = { name: 'write_note', args: '{"text":"x"}' };
  return (messages.at(-1)?.role === 'tool' ? ok('Noted.') : ok('', { calls: [call] }))(response, request);
};

const server = new FaultServer();
await server.start();
server.play(noting);
const model = { OPENAI_BASE_URL: server.url, OPENAI_MODEL_NAME: 'fault-model', ROUTING_LOCAL_ENABLED: 'false' };
const editor = await startEditor({ env: { ...process.env, ...model, WOOSTER_HOME: home }, cwd: home }, () => 'denied');
try {
  const moment = () => sleep(Math.random() * LONGEST_MS);
  const { ended, late } = await cancelPrompts(editor, { rounds, moment, effects, patience });
  console.log(JSON.stringify({ rounds, ended, late }));
  process.exitCode = late === 0 && ended.hung === undefined && ended.failed === undefined ? 0 : 1;
} finally {
  await editor.leave();
  await server.stop();
  rmSync(home, { recursive: true, force: true });
}
