import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createApp } from '../app.ts';
import { type Answer, NOBODY_TO_ASK } from '../base/turn.ts';
import type { App } from '../face/app.ts';
import type { CommandCall, Session } from '../repl/command.ts';
import { findCommand } from '../repl/command-list.ts';
import { COMMANDS } from '../repl/commands.gen.ts';
import { parseWords } from '../repl/flags.ts';
import { loadSettings, type Settings } from '../settings/settings.ts';
import { everySetting } from '../settings/table.ts';
import { testContext, testTurn } from './agent.ts';
import { temporaryFolder } from './home.ts';
import { type Scripted, ScriptedModel } from './scripted-model.ts';
import { testSession } from './session.ts';
import { storeSettings } from './stores.ts';

export interface CommandsOptions {
  readonly home?: string;
  /** The contents of config/local.json. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** `sqlite`: the home's own file, whatever the tests run on. */
  readonly store?: 'sqlite';
  /** What the only model says; the built-in model answers unless given. */
  readonly replies?: readonly Scripted[];
  readonly session?: Partial<Session>;
  /** Decides about calls of commands; nobody can be asked unless given. */
  readonly approve?: CommandCall['approve'];
}

/** What one command printed and asked. */
interface CommandRun {
  readonly code: number;
  readonly lines: readonly string[];
  /** What `--json` would print. */
  readonly rows: readonly unknown[];
  /** To stderr. */
  readonly notes: readonly string[];
  readonly asked: readonly string[];
  /** To the clipboard. */
  readonly copied: readonly string[];
}

export interface TestCommands {
  readonly app: App;
  readonly session: Session;
  readonly home: string;
  /** Questions that commands asked as turns of the session. */
  readonly turns: { readonly text: string; readonly turnId: string | undefined }[];
  /** Type a command at the prompt, as words without the slash; `answers` are typed when it asks. */
  run(words: readonly string[], answers?: readonly string[]): Promise<CommandRun>;
  /** Have a turn in a conversation. */
  say(text: string, conversationId?: string): Promise<Answer>;
}

/** The commands of a whole program on a home of its own; no network, no local server. Closed with the test. */
export async function openCommands(options: CommandsOptions = {}): Promise<TestCommands> {
  const { home = temporaryFolder(), config = {}, replies, approve = async () => NOBODY_TO_ASK } = options;
  forgetMachineSettings();
  writeConfig(home, { ...config, ...(replies && { models: { use: 'scripted:test' } }) });
  const app = await createApp(settingsOf(home, options.store), { announce: () => {}, verbose: false });
  onTestFinished(() => app.close());
  const model = new ScriptedModel(replies ?? []);
  if (replies) app.models.registerProvider('scripted', async () => model);
  const session = testSession(options.session);
  const turns: TestCommands['turns'] = [];
  const ask: CommandCall['ask'] = async (text, { turnId } = {}) => {
    turns.push({ text, turnId });
    return 0;
  };
  return {
    ...{ app, session, home, turns },
    run: (words, answers = []) => runWords(words, { app, session, ask, approve }, answers),
    say: (text, conversationId = 'conv_1') => app.turns.run(testTurn(text, { conversationId }), testContext()),
  };
}

async function runWords(
  [name = '', ...rest]: readonly string[],
  given: Pick<CommandCall, 'app' | 'session' | 'ask' | 'approve'>,
  answers: readonly string[],
): Promise<CommandRun> {
  const [lines, rows, notes, asked]: [string[], unknown[], string[], string[]] = [[], [], [], []];
  const copied: string[] = [];
  const left = [...answers];
  const out: CommandCall['out'] = {
    line: (text) => void lines.push(text),
    row: (value) => void rows.push(value),
    show(value, text) {
      this.row(value);
      this.line(text);
    },
    note: (text) => void notes.push(text),
    progress: () => {},
    draws: false,
    columns: 200,
    copy: (text) => copied.push(text) > 0,
    ask: async (question) => {
      asked.push(question);
      return left.shift();
    },
  };
  const { command: entry, before } = findCommand(COMMANDS, name, 'slash');
  const words = parseWords([...before, ...rest], entry.flags ?? {});
  const { signal } = new AbortController();
  const command = await entry.load();
  const code = await command.run({ ...given, ...words, out, signal, place: 'slash', commands: COMMANDS });
  return { code, lines, rows, notes, asked, copied };
}

function settingsOf(home: string, kind?: 'sqlite'): Settings {
  const store = storeSettings(home, kind);
  Object.assign(process.env, store);
  try {
    return loadSettings(home);
  } finally {
    for (const name of Object.keys(store)) delete process.env[name];
  }
}

/** Keys and servers of the machine that runs the tests must not count. */
export function forgetMachineSettings(): void {
  for (const { setting } of everySetting())
    for (const name of [setting.env, ...setting.aliases]) delete process.env[name];
}

/** Write config/local.json of a home. */
export function writeConfig(home: string, config: Readonly<Record<string, unknown>>): void {
  mkdirSync(join(home, 'config'), { recursive: true });
  const routing = { providers: { local: { enabled: false } } };
  writeFileSync(join(home, 'config', 'local.json'), JSON.stringify({ routing, ...config }));
}
