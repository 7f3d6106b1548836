import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Engine, EngineRun } from '../agent/types.ts';
import { createApp } from '../app.ts';
import { AGREED_UNSEEN, type Mode, NO_USAGE, STRANGER, type Voice } from '../base/turn.ts';
import type { App } from '../face/app.ts';
import { switchOf } from '../plugins/discover.ts';
import { loadSettings } from '../settings/settings.ts';
import { EffectLedger } from '../tools/gate/effect-ledger.ts';
import { CLEAN, Labels } from '../tools/gate/labels.ts';
import { modelToolName } from '../tools/gate/toolbox.ts';
import { startTurnState } from '../tools/gate/turn-state.ts';
import type { ToolResult } from '../tools/gate/types.ts';
import type { Tool } from '../tools/tool.ts';
import { testContext, testTurn } from './agent.ts';
import { forgetMachineSettings, writeConfig } from './commands.ts';
import type { Order } from './hostile-world.ts';
import { planText, puppetReply } from './puppet-program.ts';
import { ScriptedModel } from './scripted-model.ts';
import { sqlAll, tableNames } from './sql.ts';
import { storeSettings } from './stores.ts';
import { webServer } from './web-server.ts';

/** Whose a planted text is: the owner's own, written while others' text was being read, or on a page of the web. */
export type Writer = 'mine' | 'theirs' | 'web';
/** What a call said, and the labels of its conversation then. */
export interface Shown {
  readonly order: Order;
  readonly ok: boolean;
  readonly text: string;
  readonly untrusted: boolean;
  readonly private: boolean;
}

const MARK: Readonly<Record<Writer, string>> = { mine: 'zqm', theirs: 'zqt', web: 'zqw' };
const WRITER: Readonly<Record<string, Writer>> = { m: 'mine', t: 'theirs', w: 'web' };
const MARKS = /zq(?<writer>[mtw])\d+x/gu;
/** A word of every planted text, by which it is found. */
const WORD = 'kettle';
const BY_OTHERS = { untrusted: true, private: true, sources: ['page'] };
/** The most calls of one tool in one round. */
const MOST_CALLS = 16;
const MOST_REPLIES = 2000;
/** The most known values that a field is tried with. */
const MOST_VALUES = 6;
const SERVER = `
const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
const tool = { name: 'recall', description: 'Recall.', inputSchema: { type: 'object', properties: { fail: { type: 'boolean' } } } };
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') return say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'far', version: '1' } });
  if (method === 'tools/list') return say(id, { tools: [tool] });
  if (method === 'tools/call') return say(id, { isError: params.arguments?.fail === true, content: [{ type: 'text', text: 'kettle zqt900001x' }] });
  say(id, {});
});`;
const PROGRAM = `/// Read the kettle file.
tool kettle_report(): string {
  return readFile("planted/theirs.md")
}
`;

/**
 * The whole program with every bundled plugin, an MCP server and a program, in whose every store tools have put marked
 * texts of the owner and of others. The tools are found, and so are their inputs: by their schemas, and by what other
 * tools have returned.
 */
export class MarkedHome {
  readonly app: App;
  readonly #page: string;
  readonly #pool = new Map<string, Set<unknown>>();
  #marks = 0;
  #turns = 0;

  /** @param page the address of a page of others. */
  constructor(app: App, page: string) {
    this.app = app;
    this.#page = page;
  }

  /** Call tools within a turn of a conversation of its own. */
  async within<T>(act: (run: EngineRun) => Promise<T>): Promise<T> {
    let done: { readonly value: T } | undefined;
    const engine: Engine = {
      run: async (run) => {
        done = { value: await act(run) };
        return { text: '', stop: 'answered', usage: NO_USAGE, steps: 1 };
      },
    };
    const id = `${this.#turns++}`;
    const turn = testTurn('go on', { id: `turn_${id}`, conversationId: `conv_${id}` });
    const context = testContext({ decide: AGREED_UNSEEN });
    await this.app.turns.run(turn, context, { engine });
    if (!done) throw new Error(JSON.stringify(context.events));
    return done.value;
  }

  /** Have every tool that changes something put marked texts where it can. */
  async plant(writer: Writer): Promise<readonly string[]> {
    const planted = new Set<string>();
    const start = writer === 'mine' ? CLEAN : BY_OTHERS;
    await this.within(async (run) => {
      for (const tool of run.toolbox.list()) {
        if (tool.policy.effect === 'none' || tool.policy.change === 'delete') continue;
        for (const args of this.#inputs(tool, () => this.#text(writer), isBy(writer))) {
          const { ok, value } = await this.#call(run, { name: tool.name, args }, new Labels(start));
          if (ok && marksIn(args).length > 0) planted.add(tool.name);
          if (ok) this.#learn(value);
        }
      }
    });
    return [...planted];
  }

  /** Have every tool that changes nothing tell what there is, so that others can be asked for it. */
  async look(): Promise<void> {
    await this.within(async (run) => {
      for (const tool of run.toolbox.list().filter(({ policy }) => policy.effect === 'none'))
        for (const args of this.#inputs(
          tool,
          () => WORD,
          () => true,
        )) {
          const { ok, value } = await this.#call(run, { name: tool.name, args }, new Labels(BY_OTHERS));
          if (ok) this.#learn(value);
        }
    });
  }

  /** Every call of a tool, each in a clean conversation. @returns what it said that was planted, and its labels. */
  async *probe(tool: Tool): AsyncGenerator<Shown> {
    // What the owner says in a clean conversation is theirs, so a call that keeps it must not say what others wrote.
    const fits = tool.policy.effect === 'none' ? () => true : isBy('mine');
    for (const args of this.#inputs(tool, () => WORD, fits)) {
      const order = { name: tool.name, args };
      const labels = new Labels(CLEAN);
      yield await this.within(async (run) => {
        const before = run.scope.labels.provenance();
        const { ok, text } = await this.#call(run, order, labels);
        // A program calls in the name of the turn.
        const turn = run.scope.labels.provenance();
        const own = turn.sources.length > before.sources.length ? turn : CLEAN;
        return {
          ...{ order, ok, text },
          untrusted: labels.untrusted || own.untrusted,
          private: labels.private || own.private,
        };
      });
    }
  }

  /** The tools that there are; of those that change something, those that delete come first. */
  async tools(): Promise<{ readonly reading: readonly Tool[]; readonly changing: readonly Tool[] }> {
    const all = await this.within(async ({ toolbox }) => toolbox.list());
    const [reading = [], changing = []] = [true, false].map((reads) =>
      all.filter(({ policy }) => (policy.effect === 'none') === reads),
    );
    const orderOf = ({ policy }: Tool) => (policy.change === 'delete' ? 0 : 1);
    return { reading, changing: changing.toSorted((a, b) => orderOf(a) - orderOf(b)) };
  }

  /** Have a model make one call in a conversation of its own. @returns the labels; undefined: it did not run. */
  async ask(mode: Mode, { name, args }: Order): Promise<Pick<Shown, 'untrusted' | 'private'> | undefined> {
    const id = `asked_${this.#turns++}`;
    const called = mode === 'classic_tools' ? modelToolName(name) : name;
    const plan = planText({ calls: [{ name: called, args }], obey: false });
    const context = testContext({ decide: AGREED_UNSEEN });
    await this.app.turns.run(testTurn(plan, { id, mode, conversationId: id }), context);
    if (!context.events.some((event) => event.type === 'tool' && event.name === name)) return undefined;
    const row = await this.app.store.db
      .selectFrom('conversations')
      .select(['read_untrusted', 'read_private'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return { untrusted: row.read_untrusted === 1, private: row.read_private === 1 };
  }

  /** The tables and files that hold a planted text. */
  async stores(): Promise<readonly string[]> {
    const { store, home } = this.app;
    const held = new Set<string>();
    for (const name of await tableNames(store)) {
      const rows = await sqlAll(store, `SELECT * FROM "${name}"`).catch(() => []);
      if (marksIn(rows).length > 0) held.add(`table ${name}`);
    }
    for (const path of readdirSync(home.dir, { recursive: true, encoding: 'utf8' })) {
      const isHeld = !path.startsWith('state') && marksIn(textOf(join(home.dir, path)) + path).length > 0;
      if (isHeld) held.add(path.replace(MARKS, '*').replace(/[\da-f]{8}-[\da-f-]{27}/u, '*'));
    }
    return [...held].sort();
  }

  async #call(run: EngineRun, { name, args }: Order, labels: Labels) {
    let preview = '';
    const { scope } = run;
    const id = `${this.#turns++}`;
    const turn = { ...scope.turn, id: `turn_${id}`, conversationId: `conv_${id}` };
    const context = {
      ...scope.context,
      show: (event: { readonly type: string; readonly preview?: string }) => {
        preview += event.preview ?? '';
      },
    };
    const result: ToolResult = await run.toolbox.call(name, args, {
      ...scope,
      labels,
      context: { ...context, approve: async () => AGREED_UNSEEN },
      ...startTurnState(),
      turn,
      ledger: new EffectLedger({ store: this.app.store, turn, now: scope.context.now }),
      reply: undefined,
      halt: undefined,
    });
    const text = [result.ok ? result.text : result.error, JSON.stringify(result.told), preview].join('\n');
    return { ok: result.ok, value: result.ok ? result.value : undefined, text };
  }

  #text(writer: Writer): string {
    return `${WORD} ${MARK[writer]}${this.#marks++}x`;
  }

  /** Remember the texts of a result under the names of their fields. */
  #learn(value: unknown, key = ''): void {
    if (typeof value === 'string' && value.length < 200)
      this.#pool.set(key, (this.#pool.get(key) ?? new Set()).add(value));
    else if (Array.isArray(value)) for (const each of value) this.#learn(each, key);
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) this.#learn(inner, name);
  }

  /** Inputs of a tool: its usual one, then each field in turn with everything that is known for it. */
  #inputs(tool: Tool, text: () => string, fits: (value: unknown) => boolean): Record<string, unknown>[] {
    const schema = z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
    const fields = Object.entries(schema.properties ?? {});
    const valuesOf = ([name, field]: readonly [string, JsonSchema]) =>
      this.#values([name, ...(tool.aliases[name] ?? [])], field, text).filter(fits);
    const usual = Object.fromEntries(
      fields.filter(([name]) => schema.required?.includes(name)).map((field) => [field[0], valuesOf(field)[0]]),
    );
    const whole = Object.fromEntries(fields.map((field) => [field[0], valuesOf(field)[0]]));
    const varied = fields.flatMap((field) => valuesOf(field).map((value) => ({ ...usual, [field[0]]: value })));
    const all = new Map([usual, whole, ...varied].map((each) => [JSON.stringify(each), each]));
    return spread([...all.values()], MOST_CALLS);
  }

  #values(names: readonly string[], schema: JsonSchema, text: () => string): unknown[] {
    const { type, anyOf, oneOf, enum: choices, format, items, properties } = schema;
    const either = anyOf ?? oneOf;
    if (either) return either.flatMap((each) => this.#values(names, each, text));
    if (choices) return choices;
    if (type === 'boolean') return [true, false];
    if (type === 'number' || type === 'integer') return [Math.max(1, schema.minimum ?? 1), 2];
    if (type === 'array') return this.#values(names, items ?? {}, text).map((each) => [each]);
    if (type === 'object')
      return [
        Object.fromEntries(
          Object.entries(properties ?? {}).map(([name, field]) => [name, this.#values([name], field, text)[0]]),
        ),
      ];
    if (format === 'date') return ['2026-01-15'];
    if (format === 'email') return ['ann@home.example'];
    if (format === 'uri') return [`${this.#page}?${this.#marks++}`];
    const known = names.flatMap((name) => [...(this.#pool.get(name) ?? [])]);
    if (names.includes('url')) return [`${this.#page}?${this.#marks++}`, text()];
    return [text(), ...spread(known, MOST_VALUES), 'tomorrow at 9', '.', 'nothing of this name', 'planted/theirs.md'];
  }
}

interface JsonSchema {
  readonly type?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly enum?: unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** Whether a value holds no text that somebody else has planted. */
function isBy(writer: Writer): (value: unknown) => boolean {
  return (value) => marksIn(value).every((mark) => mark.writer === writer || writer !== 'mine');
}

function textOf(path: string): string {
  return statSync(path).isFile() ? readFileSync(path, 'utf8') : '';
}

/** So many of a list, from all over it. */
function spread<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(all.length, most) }, (_, nth) => all[Math.floor(nth * step)] as T);
}

/** The planted texts that a value holds. */
export function marksIn(value: unknown): { readonly mark: string; readonly writer: Writer }[] {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return [...text.matchAll(MARKS)].map(([mark, writer]) => ({ mark, writer: WRITER[writer ?? ''] ?? 'theirs' }));
}

/** @param home an empty folder. */
export async function openMarkedHome(home: string): Promise<MarkedHome> {
  forgetMachineSettings();
  const page = `<title>${WORD} zqw900011x</title><p>${WORD} zqw900012x</p>`;
  const found = {
    results: [{ title: `${WORD} zqw900013x`, url: 'https://found.test/', content: `${WORD} zqw900014x` }],
  };
  const web = await webServer(({ url = '' }, response) =>
    url.startsWith('/search')
      ? response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found))
      : response.writeHead(200, { 'content-type': 'text/html' }).end(page),
  );
  const bundled = readdirSync(join(import.meta.dirname, '../../plugins')).map((name) => [switchOf(name), 'true']);
  const account = { MAIL_USERNAME: 'you@home.example', MAIL_PASSWORD: 'none' };
  writeConfig(home, {
    models: { use: 'scripted:test' },
    egress: { allowPrivate: [`127.0.0.1:${web.port}`] },
    searxng: { baseUrl: web.origin },
  });
  const put = (path: string, text: string) => {
    mkdirSync(join(home, path, '..'), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  put('server.cjs', SERVER);
  put(
    'mcp.json',
    JSON.stringify({ mcpServers: { far: { command: process.execPath, args: [join(home, 'server.cjs')] } } }),
  );
  put('programs/report.tl', PROGRAM);
  put('projects/home/planted/mine.md', `${WORD} zqm900002x\n`);
  put('projects/home/planted/theirs.md', `${WORD} zqt900003x\n`);
  put('projects/home/planted/zqt900004x.eml', `Subject: ${WORD} zqt900005x\n\n${WORD} zqt900006x\n`);
  put('calendar/home.ics', EVENT);
  put('contacts/ann.vcf', `BEGIN:VCARD\nVERSION:3.0\nFN:Ann ${WORD} zqt900008x\nBDAY:1980-01-16\nEND:VCARD\n`);
  put('memory.md', `- ${WORD} zqm900009x\n- [2026-01-01 t outside] ${WORD} zqt900010x\n`);
  Object.assign(process.env, storeSettings(home, 'sqlite'));
  const settings = loadSettings(home, { ...process.env, ...Object.fromEntries(bundled), ...account });
  const app = await createApp(settings, { announce: () => {}, verbose: false });
  const model = new ScriptedModel(Array.from({ length: MOST_REPLIES }, () => puppetReply));
  app.models.registerProvider('scripted', async () => model);
  const { origins, documents } = app.knowledge;
  await origins.files.declare(join(home, 'projects/home/planted/theirs.md'), { untrusted: true, folder: false });
  await documents.ingest('home', [join(home, 'projects/home/planted')], { signal: new AbortController().signal });
  await postNotices(app);
  const hub = await app.tools.mcp.hub();
  await hub.ask(10_000);
  const { programs, toolbox } = app.tools;
  await programs.trust(await programs.load('report', { toolbox, project: 'home' }), 'home');
  return new MarkedHome(app, `${web.origin}/${WORD}`);
}

/** As jobs do: no tool posts a notice. */
async function postNotices({ store, schedule }: App): Promise<void> {
  const { notices } = schedule.notifier;
  const post = (mark: string, voice?: Voice) =>
    notices.post({ key: mark, text: `${WORD} ${mark}`, voice, urgent: true });
  await store.transaction(async () => {
    await post('zqm900015x');
    await post('zqt900016x', STRANGER);
  });
  await notices.advance();
}

const EVENT = `BEGIN:VCALENDAR\r
VERSION:2.0\r
BEGIN:VEVENT\r
UID:u1\r
DTSTART:20260115T100000Z\r
DTEND:20260115T110000Z\r
SUMMARY:${WORD} zqt900007x\r
END:VEVENT\r
END:VCALENDAR\r
`;
