import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import { AGREED_UNSEEN, type Decision } from '../../base/turn.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { type ScopeOptions, testScope, testToolbox } from '../../testing/scope.ts';
import { sqlRun } from '../../testing/sql.ts';
import { openTestStore, withTransactions } from '../../testing/stores.ts';
import { changedTool, PLAIN_TOOL, type ToolChanges } from '../../testing/tools.ts';
import { defineTool, OutcomeUnknown, type Source, type Tool, type ToolContext } from '../tool.ts';
import { EffectLedger } from './effect-ledger.ts';
import { rehearsing } from './limits.ts';
import { OncePerReply } from './once-per-reply.ts';
import { fileThing, Origins } from './origins.ts';
import type { ToolboxDeps } from './types.ts';

const OWNER = { channel: 'discord', address: 'owner', own: true };

/** A tool named `act`, and how often it really ran. */
function acting(more: ToolChanges = {}, execute: Tool['execute'] = async () => 'done') {
  const ran: ToolContext[] = [];
  const tool = defineTool({
    ...PLAIN_TOOL,
    name: 'act',
    policy: { ...PLAIN_TOOL.policy, effect: 'local', change: 'append' },
    execute: (input, context) => {
      ran.push(context);
      return execute(input, context);
    },
  });
  return { ran, tool: changedTool(tool, more) };
}

async function scene(tool: Tool, options: ScopeOptions = {}, own: Partial<ToolboxDeps> = {}) {
  const scope = await testScope(options);
  const toolbox = testToolbox([tool], scope, own);
  const rows = async () => (await scope.ledger.list()).map(({ state, result }) => [state, result]);
  return { scope, rows, toolbox, call: () => toolbox.call('act', {}, scope) };
}

const ours = () => new AssistantError('path_refused', 'no', { hint: 'x' });
const moved = () => new AssistantError('home_moved', 'the home is gone', { hint: 'x' });
const OUTBOUND = { policy: { effect: 'outbound', recipient: async () => OWNER } } as const;
const NOT_RUN = {
  ok: false,
  told: expect.anything(),
  reason: 'aborted',
  error: 'act was not run: the turn was cancelled.',
};
/** What a call is that was made before. */
const AGAIN = { cached: true, beside: 'Done before in this turn and not repeated.' };
const DONE = { ok: true, value: 'done', text: 'done', cached: false, told: { code: 'ok', values: {} } };

describe('what was done before', () => {
  test('is done once in one reply, what only reads is read again', async () => {
    for (const [effect, times] of [
      ['local', 1],
      ['none', 2],
    ] as const) {
      const { ran, tool } = acting({ policy: { effect } });
      const { scope, toolbox } = await scene(tool);
      const own = { ...scope, reply: new OncePerReply() };
      await toolbox.call('act', {}, own);
      const beside = 'Done once in this reply, and not again.';
      const told = times === 1 ? { cached: true, beside, text: `${beside}\n${DONE.text}` } : { cached: false };
      expect(await toolbox.call('act', {}, own)).toEqual({ ...DONE, ...told });
      expect(ran).toHaveLength(times);
    }
  });

  test('does not answer for a rehearsal, which does nothing', async () => {
    const { scope, toolbox, call } = await scene(acting().tool);
    await call();
    scope.ledger.rewind();
    const noted: string[] = [];
    const rehearsal = rehearsing(toolbox, ({ tool }) => noted.push(tool));
    expect(await rehearsal.call('act', {}, scope)).toMatchObject({ ok: true, cached: false });
    expect(noted).toEqual(['act']);
  });

  test.each([undefined, 'transaction'] as const)('elsewhere in the meantime is not done again (%s)', async (trace) => {
    const { ran, tool } = acting({ durability: { trace } });
    const { scope, toolbox, call } = await scene(tool);
    await call();
    const elsewhere = new EffectLedger({ store: scope.store, turn: scope.turn, now: scope.context.now });
    await toolbox.call('act', {}, { ...scope, ledger: elsewhere });
    await toolbox.call('act', {}, { ...scope, ledger: elsewhere });
    expect(ran).toHaveLength(2);
    expect(await call()).toEqual({ ...DONE, ...AGAIN, text: `${AGAIN.beside}\ndone` });
    expect(ran).toHaveLength(2);
  });

  test('by a call that was cut off is told in our words, of which its tool is not asked', async () => {
    const { tool } = acting({}, async () => ({ items: ['milk'] }));
    const { scope, call } = await scene({
      ...tool,
      output: z.object({ items: z.array(z.string()) }),
      presentation: {
        unremarkable: (output) => (output as { items: string[] }).items.length > 0,
        told: (output) => ({ code: 'listed', values: { count: (output as { items: string[] }).items.length } }),
      },
    });
    expect(await call()).toMatchObject({ told: { code: 'listed', values: { count: 1 } }, unremarkable: true });
    await sqlRun(scope.store, `UPDATE effects SET result = '"It was done."'`);
    scope.ledger.rewind();
    const text = `${AGAIN.beside}\nIt was done.`;
    expect(await call()).toEqual({ ...DONE, ...AGAIN, value: 'It was done.', text });
  });

  test('without a known outcome is not done again, and no other attempt can be made', async () => {
    const { scope, call } = await scene(acting(OUTBOUND, () => Promise.reject(new OutcomeUnknown('no answer'))).tool);
    expect(await call()).toEqual({
      ok: false,
      told: expect.anything(),
      reason: 'lost',
      error: 'act failed: no answer',
      final: true,
    });
    scope.ledger.rewind();
    expect(await call()).toEqual({
      ...{ ok: false, told: expect.anything(), reason: 'failed', final: true },
      error: 'act was begun before and its outcome is unknown; it was not repeated.',
    });
  });
});

describe('a turn that is cancelled', () => {
  test.each([undefined, 'transaction'] as const)('while a call is decided upon leaves no trace (%s)', async (trace) => {
    const stop = new AbortController();
    const recipient = async () => {
      stop.abort();
      return OWNER;
    };
    const { ran, tool } = acting({ policy: { recipient }, durability: { trace } });
    const { call, rows } = await scene(tool, { signal: stop.signal });
    expect(await call()).toEqual(NOT_RUN);
    expect([ran, await rows()]).toEqual([[], []]);
  });

  test('while a call is written down leaves one that did not act', async () => {
    const stop = new AbortController();
    const real = await openTestStore();
    const store = withTransactions(real, (work, options) => {
      stop.abort();
      return real.transaction(work, options);
    });
    const { ran, tool } = acting();
    const { call, rows } = await scene(tool, { store, signal: stop.signal });
    expect(await call()).toEqual(NOT_RUN);
    expect([ran, await rows()]).toEqual([[], [['failed', 'it was not run']]]);
  });

  test('before a call runs not even what only reads', async () => {
    const { ran, tool } = acting({ policy: { effect: 'none' } });
    const { call } = await scene(tool, { signal: AbortSignal.abort() });
    expect([await call(), ran]).toEqual([NOT_RUN, []]);
  });

  const STOPPED = { ok: false, told: expect.anything(), reason: 'aborted', error: expect.stringContaining('stopped') };

  test.each([
    ['local', 'ends in a moment is waited for', { ok: true, value: 'late' }, ['done', '"late"']],
    ['outbound', 'ends in a moment is not, and may have acted', STOPPED, ['intent', null]],
  ] as const)('by a %s call that %s', async (effect, _what, result, row) => {
    const stop = new AbortController();
    const { tool } = acting({ policy: { ...OUTBOUND.policy, effect } }, () => {
      stop.abort();
      return new Promise((done) => setImmediate(done, 'late'));
    });
    const { call, rows } = await scene(tool, { signal: stop.signal });
    expect(await call()).toMatchObject(result);
    expect(await rows()).toEqual([row]);
  });

  test('by a local call that ends with it leaves one that failed', async () => {
    const stop = new AbortController();
    const { tool } = acting({}, async () => {
      stop.abort();
      throw stop.signal.reason;
    });
    const { call, rows } = await scene(tool, { signal: stop.signal });
    expect(await call()).toEqual({ ...STOPPED, error: 'act was stopped: the turn was cancelled.' });
    expect(await rows()).toEqual([['failed', 'act was stopped: the turn was cancelled.']]);
  });
});

describe('a record that cannot be written', () => {
  /** A store that fails as it is told. */
  async function breaking() {
    const real = await openTestStore();
    const next = { error: undefined as Error | undefined, afterwards: false };
    const store = withTransactions(real, async (work, options) => {
      const { error } = next;
      if (!error || (next.afterwards && !options?.relaxed)) return real.transaction(work, options);
      next.error = undefined;
      throw error;
    });
    return { next, store };
  }

  function logging() {
    const told: unknown[] = [];
    const note = (...line: unknown[]) => told.push(line);
    return { told, log: { debug: note, info: note, warn: note, error: note } };
  }

  test('leaves the result of what was done as it is', async () => {
    const { next, store } = await breaking();
    const { told, log } = logging();
    const { call, rows } = await scene(acting().tool, { store }, { log });
    Object.assign(next, { error: new Error('disk full'), afterwards: true });
    expect(await call()).toEqual(DONE);
    expect(await rows()).toEqual([['intent', null]]);
    expect(told).toEqual([['the outcome of a call was not recorded', { tool: 'act', error: 'disk full' }]]);
  });

  test.each([true, false])(
    'ends the turn where the home is gone, before or after the call (%s)',
    async (afterwards) => {
      const { next, store } = await breaking();
      const { scope, call, toolbox } = await scene(acting().tool, { store });
      const halted: string[] = [];
      const gone = {
        ok: false,
        told: expect.anything(),
        reason: 'failed',
        error: 'act failed: the home is gone',
        final: true,
      };
      Object.assign(next, { error: moved(), afterwards });
      expect(await toolbox.call('act', {}, { ...scope, halt: (why) => halted.push(why) })).toEqual(gone);
      expect(halted).toEqual(['the home is gone']);
      Object.assign(next, { error: moved(), afterwards });
      expect(await call()).toEqual(gone);
    },
  );

  test.each([undefined, 'transaction'] as const)('beforehand is a failure that is logged (%s)', async (trace) => {
    const { next, store } = await breaking();
    const { told, log } = logging();
    const { ran, tool } = acting({ durability: { trace } });
    const { call, rows } = await scene(tool, { store }, { log });
    next.error = new Error('the store is away');
    expect(await call()).toEqual({
      ok: false,
      told: expect.anything(),
      reason: 'failed',
      error: 'act failed: the store is away',
    });
    expect([ran, await rows()]).toEqual([[], []]);
    expect(told).toEqual([['tool call failed unforeseen', { tool: 'act', error: 'the store is away' }]]);
  });

  test('of whose text it wrote leaves a call that is not repeated', async () => {
    const keeps = (_input: unknown, _context: ToolContext, output: unknown) => {
      if (output !== undefined) throw ours();
      return undefined;
    };
    const { ran, tool } = acting({ provenance: { writesTo: keeps } });
    const { scope, call, rows } = await scene(tool);
    expect(await call()).toMatchObject({ ok: false, error: 'act failed: no' });
    expect(await rows()).toEqual([['intent', null]]);
    scope.ledger.rewind();
    expect(await call()).toMatchObject({ ok: false, final: true });
    expect(ran).toHaveLength(1);
  });
});

describe('what a tool is told of its call', () => {
  const yes: Decision = { verdict: 'once', by: 'terminal' };
  const stakes = [{ before: 'old', after: 'new' }];
  const control = async () => ({ diff: '+ x', stakes });

  test.each<[string, ToolChanges, Decision, boolean]>([
    ['a control file, by a person', { policy: { control } }, yes, true],
    ['a control file, unseen', { policy: { control } }, AGREED_UNSEEN, false],
    ['something for good, by a person', { policy: { change: () => 'purge' } }, yes, false],
    ['a note', {}, yes, false],
    ['nothing', { policy: { effect: 'none' } }, yes, false],
  ])('a diff was agreed to: %s', async (_what, more, decide, seen) => {
    const { ran, tool } = acting(more);
    const { call } = await scene(tool, { decide });
    expect(await call()).toMatchObject({ ok: true });
    expect(ran.map(({ agreed }) => agreed)).toEqual([seen ? stakes : undefined]);
  });

  test('the turn, and nothing that it has not', async () => {
    const { ran, tool } = acting({ policy: { effect: 'none' } });
    const { scope, call } = await scene(tool);
    await call();
    expect(ran[0]).toStrictEqual({
      ...{ turn: scope.turn, said: ['do it'], untrusted: false, timeZone: 'Europe/Oslo' },
      ...{ signal: expect.any(AbortSignal), log: expect.anything(), now: expect.any(Function) },
      ...{ holds: expect.any(Function), isSaid: expect.any(Function), voiceOf: expect.any(Function) },
      ...{ beside: expect.any(Function), viewChars: 10_000 },
    });
    expect(ran[0]?.now()).toEqual(scope.context.now());
  });

  test('the script that makes it, its key, and the person who waits', async () => {
    const { ran, tool } = acting();
    const { scope, toolbox } = await scene(tool);
    const told: string[] = [];
    const doing = (text: string) => told.push(text);
    const context = { ...scope.context, doing, ask: async (question: string) => `${question} yes` };
    await toolbox.call('Act', {}, { ...scope, context, script: {} });
    expect(ran[0]).toMatchObject({ inScript: true, idempotencyKey: (await scope.ledger.list())[0]?.idempotency_key });
    ran[0]?.progress?.('half of it');
    expect(told).toEqual(['act', 'half of it']);
    expect(await ran[0]?.ask?.('Sure?')).toBe('Sure? yes');
  });

  test('only what changes something here says what it changes', async () => {
    for (const [more, change] of [
      [OUTBOUND, null],
      [{}, 'append'],
    ] as const) {
      const { scope, call } = await scene(acting(more).tool);
      await call();
      expect(await scope.ledger.list()).toMatchObject([{ change }]);
    }
  });
});

describe('whose text a call has read and written', () => {
  const UNTRUSTED = { untrusted: true, private: false };

  /** A call that writes a file after untrusted content was read: whether the file counts as such while and after it. */
  async function writing(end: () => Promise<unknown>, more: ToolChanges = {}) {
    const path = join(temporaryFolder(), 'a.md');
    writeFileSync(path, 'mine');
    const thing = fileThing(path);
    const seen: unknown[] = [];
    const keeps = (_input: unknown, _context: ToolContext, output: unknown) =>
      output === 'nothing' ? undefined : thing;
    const isMarked = async () => (await origins.of(thing))?.untrusted ?? false;
    const { tool } = acting({ ...more, provenance: { ...more.provenance, writesTo: keeps } }, async () => {
      seen.push(await isMarked());
      return end();
    });
    const { scope, call } = await scene(tool);
    const origins = new Origins(scope.store, scope.context.now);
    await scope.labels.read(UNTRUSTED, 'page');
    await call();
    return [...seen, await isMarked()];
  }

  test.each<[string, () => Promise<unknown>, ToolChanges, boolean[]]>([
    ['that writes it', async () => 'x', {}, [true, true]],
    ['that was refused', () => Promise.reject(ours()), {}, [true, false]],
    ['that failed somewhere', () => Promise.reject(new Error('disk full')), {}, [true, true]],
    ['beyond this machine', async () => 'x', OUTBOUND, [false, true]],
    ['beyond this machine that failed', () => Promise.reject(ours()), OUTBOUND, [false, false]],
  ])('a file is untrusted ahead of a call %s, or after it', async (_what, end, more, marked) => {
    expect(await writing(end, more)).toEqual(marked);
  });

  test('a tool is asked ahead what it writes where that matters, and may not know', async () => {
    const asked: unknown[] = [];
    const keeps = (_input: unknown, _context: ToolContext, output: unknown) => {
      asked.push(output);
      if (output === undefined) throw new Error('not known yet');
      return 'gtd:inbox';
    };
    const { scope, call } = await scene(acting({ provenance: { writesTo: keeps } }).tool);
    expect(await call()).toEqual(DONE);
    await scope.labels.read(UNTRUSTED, 'page');
    expect(await call()).toEqual(DONE);
    expect(asked).toEqual(['done', undefined, 'done']);
    expect(await new Origins(scope.store, scope.context.now).of('gtd:inbox')).toMatchObject({ sources: ['page'] });
  });

  test('a call that failed has written nothing that has a name', async () => {
    const { tool } = acting({ provenance: { writesTo: () => 'gtd:inbox' } }, () => Promise.reject(new Error('no')));
    const { scope, call } = await scene(tool);
    await scope.labels.read(UNTRUSTED, 'page');
    await call();
    expect(await new Origins(scope.store, scope.context.now).of('gtd:inbox')).toBeUndefined();
  });

  const reading = { policy: { effect: 'none' }, provenance: { readsFrom: ['web'] } } as const;
  const fail = () => Promise.reject(new Error('page says no'));
  const refused = () =>
    Promise.reject(new AssistantError('path_refused', 'line 4 reads "buy eve a car"', { hint: 'x' }));
  const from = (...readsFrom: Source[]): ToolChanges => ({ provenance: { readsFrom } });
  const late = (): ToolChanges => ({ provenance: { readsFrom: async () => ['theirs'] } });
  const holding =
    (...sources: Source[]): Tool['execute'] =>
    async (_input, { holds }) =>
      holds(...sources);
  const thrown =
    (...sources: Source[]): Tool['execute'] =>
    async (_input, { holds }) => {
      holds(...sources);
      throw new Error('no');
    };
  const vague: ToolChanges = { provenance: { readsFrom: undefined as never } };
  const broken: ToolChanges = { provenance: { readsFrom: () => Promise.reject(new Error('gone')) } };
  const NONE = { untrusted: false, private: false };
  const OWNERS = { untrusted: false, private: true };
  const THEIRS = { untrusted: true, private: true };
  const PUBLIC = { untrusted: true, private: false };

  test.each<[string, ToolChanges, Tool['execute'] | undefined, object]>([
    ['its own words', from(), undefined, NONE],
    ['nothing that its tool names', vague, undefined, THEIRS],
    ['something that its tool cannot name', broken, undefined, THEIRS],
    ['the web', from('web'), undefined, PUBLIC],
    ['a thing of the owner', from('mine'), undefined, OWNERS],
    ['two things, one of them by others', from('mine', 'theirs'), undefined, THEIRS],
    ['what is asked for', late(), undefined, THEIRS],
    ['a row of a store', from({ untrusted: false }), undefined, OWNERS],
    ['a row by others', from({ untrusted: false }, { untrusted: true }), undefined, THEIRS],
    ['a row that says nothing', from({} as never), undefined, THEIRS],
    ['less than its tool names', from('theirs'), holding('mine'), OWNERS],
    ['nothing of what its tool names', from('theirs'), holding(), NONE],
    ['more than its tool names', from(), holding('theirs'), THEIRS],
    ['an error in the words of its tool', from(), fail, NONE],
    ['an error that may quote', from('theirs'), fail, THEIRS],
    ['a refusal of ours that may quote', from('theirs'), refused, THEIRS],
    ['an error that quotes what was read', from('mine'), thrown('theirs'), THEIRS],
    ['an error after less than was named', from('theirs'), thrown('mine'), THEIRS],
    ['what was fetched', { ...from(), policy: { network: true } }, undefined, PUBLIC],
    ['what a server answered', { ...from(), policy: { network: true } }, fail, PUBLIC],
  ])('%s has the labels of where it is from', async (_what, more, execute, labels) => {
    const { scope, call } = await scene(acting({ ...more, policy: { effect: 'none', ...more.policy } }, execute).tool);
    const origins = new Origins(scope.store, scope.context.now);
    await origins.mark('theirs', { ...UNTRUSTED, sources: ['page'] });
    await call();
    expect(scope.labels).toMatchObject(labels);
  });

  test('what a call replaces is labelled as it was before', async () => {
    const path = join(temporaryFolder(), 'a.md');
    writeFileSync(path, 'theirs');
    const thing = fileThing(path);
    const { scope, call } = await scene(
      acting({ provenance: { readsFrom: () => [thing] } }, async () => writeFileSync(path, 'mine')).tool,
    );
    const origins = new Origins(scope.store, scope.context.now);
    await origins.files.written(path, { untrusted: true, sources: [] }, true);
    await origins.files.written(path, { untrusted: false, sources: [] }, true);
    await origins.files.declare(path, { untrusted: true, folder: false });
    await call();
    expect(scope.labels.untrusted).toBe(true);
  });

  test('what a call would show the owner may quote, and failing at it labels the conversation', async () => {
    const control = () => Promise.reject(new Error('line 4 reads "buy eve a car"'));
    const { scope, call } = await scene(acting({ ...from('theirs'), policy: { effect: 'local', control } }).tool);
    await new Origins(scope.store, scope.context.now).mark('theirs', { ...UNTRUSTED, sources: ['page'] });
    expect(await call()).toMatchObject({ ok: false });
    expect(scope.labels).toMatchObject(THEIRS);
  });

  test('where nobody remembers who wrote what, all that is read back is untrusted', async () => {
    for (const [things, untrusted] of [
      [['mine'], true],
      [[], false],
    ] as const) {
      const { tool } = acting({ provenance: { readsFrom: () => things, writesTo: () => 'mine' } });
      const { scope, toolbox, call } = await scene(tool, {}, { origins: undefined });
      expect(await call()).toEqual(DONE);
      expect(scope.labels.untrusted).toBe(untrusted);
      await scope.labels.read(UNTRUSTED, 'page');
      expect(await toolbox.call('act', {}, scope)).toEqual(DONE);
    }
  });

  test.each<[string, ToolChanges, unknown, string]>([
    [
      'an address as it is dialled',
      { policy: { destination: () => 'HTTPS://A.example' } },
      {},
      'act https://a.example/',
    ],
    ['any other text', { policy: { destination: () => 'a file of mine' } }, {}, 'act a file of mine'],
    ['a search', { policy: { query: () => 'otters' } }, { path: 'a.md' }, 'act otters'],
    ['a file', {}, { path: 'notes/a.md' }, 'act notes/a.md'],
    ['a number', {}, { path: 7 }, 'act'],
    ['nothing', {}, {}, 'act'],
    ['a bare word', {}, 'word', 'act'],
  ])('a source is named by its tool and %s', async (_what, more, input, source) => {
    const { tool } = acting({ ...more, ...reading, policy: { ...reading.policy, ...more.policy } });
    const { scope, toolbox } = await scene({ ...tool, input: z.unknown() });
    await toolbox.call('act', input, scope);
    expect(scope.labels.provenance().sources).toEqual([source]);
  });
});
