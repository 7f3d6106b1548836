import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Behaviour, FaultServer, hang, ok } from '../src/testing/fault-server.ts';

/**
 * Drive the program with an independent client of the Agent Client Protocol, installed for this run alone:
 * `npm run test:editors`. The model behind it writes the settings of an editor, which asks, or says nothing at all.
 */
const ACPX = 'acpx@0.19.1';
const PROGRAM = resolve(import.meta.dirname, '../bin/wooster');
const SETTINGS = '.vscode/settings.json';

const folder = mkdtempSync(join(tmpdir(), 'acp-client-'));
const work = mkdtempSync(join(folder, 'work-'));
const server = new FaultServer();
let failed = 0;

/** Writes the settings where it is asked to, and else repeats what was said. */
const model: Behaviour = (response, request) => {
  const messages = request.body.messages as readonly { readonly role: string; readonly content: unknown }[];
  const said = JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content ?? '');
  const isAnswered = messages.at(-1)?.role === 'tool';
  const args = JSON.stringify({ path: SETTINGS, content: '{}' });
  const reply = /settings/u.test(said) && !isAnswered ? ok('', { calls: [{ name: 'write_file', args }] }) : ok(said);
  return reply(response, request);
};

interface Ran {
  readonly code: number;
  readonly text: string;
}

function acpx(words: readonly string[]): Promise<Ran> {
  const agent = `${PROGRAM} acp --home ${join(folder, 'home')}`;
  const node = resolve(import.meta.dirname, '../node_modules/node/bin');
  const own = { OPENAI_BASE_URL: server.url, OPENAI_MODEL_NAME: 'fault-model', ROUTING_LOCAL_ENABLED: 'false' };
  const env = { ...process.env, ...own, HOME: folder, PATH: `${node}:${process.env.PATH}` };
  return new Promise((done) => {
    execFile(
      join(folder, 'node_modules/.bin/acpx'),
      ['--agent', agent, ...words],
      { cwd: work, env, encoding: 'utf8', timeout: 120_000 },
      (error, stdout, stderr) => done({ code: Number(error?.code ?? 0), text: `${stdout}${stderr}` }),
    );
  });
}

async function check(name: string, words: readonly string[], isRight: (ran: Ran) => boolean): Promise<void> {
  told(name, await acpx(words), isRight);
}

function told(name: string, ran: Ran, isRight: (ran: Ran) => boolean): void {
  const isGood = isRight(ran);
  if (!isGood) failed += 1;
  process.stdout.write(`${isGood ? 'ok  ' : 'FAIL'} ${name}\n${isGood ? '' : `${ran.code}\n${ran.text}\n`}`);
}

const says = (pattern: RegExp) => (ran: Ran) => ran.code === 0 && pattern.test(ran.text);
const isWritten = () => existsSync(join(work, SETTINGS));

try {
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefix', folder, ACPX], {
    stdio: 'inherit',
  });
  await server.start();
  server.play(model);
  await check('a prompt', ['--approve-all', 'exec', 'good morning'], says(/good morning/u));
  await check('as JSON', ['--approve-all', '--format', 'json', 'exec', 'good evening'], says(/good evening/u));
  await check('a call that is denied', ['--deny-all', 'exec', 'write the settings'], () => !isWritten());
  await check('a call that is approved', ['--approve-all', 'exec', 'write the settings'], isWritten);
  await check('a new session', ['--approve-all', 'sessions', 'new'], says(/./u));
  await check('a prompt in it', ['--approve-all', 'prompt', 'good night'], says(/good night/u));
  await check('its mode', ['set-mode', 'code_agent'], says(/code_agent|mode/u));
  await check('the list of sessions', ['sessions', 'list'], says(/./u));
  const asked = Promise.withResolvers<void>();
  server.play((response, request) => {
    asked.resolve();
    return hang(response, request);
  });
  const waiting = acpx(['--approve-all', '--format', 'json', 'prompt', 'think for ever']);
  await asked.promise;
  await check('a cancel', ['cancel'], says(/cancel/iu));
  told('which ends the prompt', await waiting, ({ text }) => /cancelled/u.test(text));
  server.play(model);
  await check('a cancel with nothing running', ['cancel'], says(/./u));
  await check('the session taken up again', ['--approve-all', 'prompt', 'and again'], says(/and again/u));
  await check('the end of the session', ['sessions', 'close'], says(/./u));
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 });
}
process.exitCode = failed === 0 ? 0 : 1;
