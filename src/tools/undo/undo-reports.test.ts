import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { createProjects } from '../../rag/projects.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { act, LOCAL_EFFECTS, prepared } from '../../testing/local-effects.ts';
import { openTestStore } from '../../testing/stores.ts';
import { type UndoWorld, undoWorld } from '../../testing/undo-world.ts';
import { EffectLedger } from '../gate/effect-ledger.ts';
import { findEffect, inOrder } from '../gate/effect-rows.ts';
import { createUndo } from './create.ts';
import { type Author, HOME_FILES, PROGRAM_FILES } from './kept-states.ts';
import { type Restorer, Undo } from './undo.ts';

const now = () => new Date('2026-11-20T11:00:00Z');

async function world(): Promise<UndoWorld> {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  return undoWorld(store, temporaryFolder());
}

/** How many calls were made: each a millisecond after the one before, since those of one have no order. */
let made = 0;

/** A call that ended like this, or was cut off; it did this. @returns its id. */
async function called(
  { store, states }: UndoWorld,
  tool: string,
  { end, did }: { end?: 'done' | 'failed'; did?: (by: Author) => Promise<void> } = {},
): Promise<string> {
  const at = new Date(now().getTime() + made++);
  const ledger = new EffectLedger({ store, turn: { id: 'turn_1', conversationId: 'conv_1' }, now: () => at });
  const { key } = await ledger.begin({ name: tool, policy: { effect: 'local' } }, { text: 'milk' }, {});
  await did?.({ turnId: 'turn_1', idempotencyKey: key });
  if (end !== undefined) await ledger[end](key, 'it said so');
  return (await states.effectOf(key)) ?? '';
}

const [EIGHT, NINE] = ['next 2026-11-21T08:00:00.000Z', 'next 2026-11-21T09:00:00.000Z'];

/** What a person reads when a local effect is undone, and when that is undone. */
const SAID: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
  'a note in a new journal': [
    ['the note is out of projects/home/home.md again'],
    ['the note is in projects/home/home.md again'],
  ],
  'a note among others': [
    ['the note is out of projects/home/home.md again'],
    ['the note is in projects/home/home.md again'],
  ],
  'a deleted note': [
    ['home.md has its earlier content again (26 bytes)'],
    ['home.md has its earlier content again (1 byte)'],
  ],
  'a changed list': [
    ['lists/shopping.md is gone again; it had not been there before'],
    ['lists/shopping.md is there again (23 bytes)'],
  ],
  'a new file': [
    ['ideas/new.md is gone again; it had not been there before'],
    ['ideas/new.md is there again (6 bytes)'],
  ],
  'an overwritten file': [
    ['garden.md has its earlier content again (5 bytes)'],
    ['garden.md has its earlier content again (6 bytes)'],
  ],
  'an overwritten large file': [
    ['large.txt has its earlier content again (1048577 bytes)'],
    ['large.txt has its earlier content again (5 bytes)'],
  ],
  'an edited file': [
    ['garden.md has its earlier content again (5 bytes)'],
    ['garden.md has its earlier content again (5 bytes)'],
  ],
  'a moved file': [
    ['old/garden.md is gone again; it had not been there before', 'garden.md is there again (5 bytes)'],
    ['garden.md is gone again; it had not been there before', 'old/garden.md is there again (5 bytes)'],
  ],
  'a deleted file': [['garden.md is there again (5 bytes)'], ['garden.md is gone again; it had not been there before']],
  'a deleted large file': [
    ['large.txt is there again (1048577 bytes)'],
    ['large.txt is gone again; it had not been there before'],
  ],
  'a remembered fact': [
    ['memory.md is gone again; it had not been there before'],
    ['memory.md is there again (49 bytes)'],
  ],
  'a fact that replaces another': [
    ['memory.md has its earlier content again (17 bytes)'],
    ['memory.md has its earlier content again (49 bytes)'],
  ],
  'a forgotten fact': [
    ['memory.md has its earlier content again (17 bytes)'],
    ['memory.md has its earlier content again (0 bytes)'],
  ],
  'a stored artifact': [['artifact art_ID is gone again'], ['artifact art_ID is there again']],
  'a reminder': [['job_ID is cancelled'], [`job_ID ("Reminder: call Ada") is scheduled again, ${EIGHT}`]],
  'a schedule that was moved': [
    [`job_ID ("water the roses") is as it was before, ${EIGHT}`],
    [`job_ID ("water the roses") is as it was before, ${NINE}`],
  ],
  'a schedule with another text': [
    [`job_ID ("water the roses") is as it was before, ${EIGHT}`],
    [`job_ID ("water the tulips") is as it was before, ${EIGHT}`],
  ],
  'a cancelled schedule': [[`job_ID ("water the roses") is scheduled again, ${EIGHT}`], ['job_ID is cancelled']],
};

describe.each(Object.entries(LOCAL_EFFECTS))('%s', (title, effect) => {
  test('is said when it is undone, and when it is done again', async () => {
    const here = await world();
    await act(here, effect, await prepared(here, effect));
    const undone = await here.undo.newest('home');
    const again = await here.undo.effect(undone?.by ?? '');
    const withoutIds = (line: string) => line.replaceAll(/\b(art|job)_\w+/gu, '$1_ID');
    expect([undone?.things.map(withoutIds), again.things.map(withoutIds)]).toEqual(SAID[title]);
  });

  test('shows whether it happened', async () => {
    const here = await world();
    await act(here, effect, await prepared(here, effect));
    const [id = ''] = await here.states.newest('home', 1);
    expect(await here.undo.outcome({ id })).toBe('done');
    const { by } = await here.undo.effect(id);
    expect(await here.undo.outcome({ id })).toBe('undone');
    await here.undo.effect(by ?? '');
    expect(await here.undo.outcome({ id })).toBe('done');
  });
});

describe('what came of it', () => {
  test('an effect that nobody knows', async () => {
    await expect((await world()).undo.effect('eff_nowhere')).rejects.toMatchObject({
      code: 'bad_usage',
      message: 'There is no effect "eff_nowhere".',
      hint: '"log" shows what was done, with the ids.',
    });
  });

  test('one that kept nothing is not undone', async () => {
    const here = await world();
    const effect = await called(here, 'remember', { end: 'done' });
    const said = { effect, tool: 'remember', input: '{"text":"milk"}' };
    expect(await here.undo.effect(effect)).toEqual({ ...said, things: [], outcome: 'not_kept' });
  });

  test('one that was undone already, with what undid it', async () => {
    const here = await world();
    await here.call('write_file', { path: 'a.md', content: 'x'.repeat(200) });
    const first = await here.undo.newest('home');
    expect(first?.input).toMatch(/^\{"content":"x{86}x*…$/u);
    expect(first?.input).toHaveLength(100);
    expect(await here.undo.effect(first?.effect ?? '')).toEqual({ ...first, things: [], outcome: 'already' });
  });

  test('one whose file somebody has put back by hand is unchanged, and counts as undone', async () => {
    const here = await world();
    await here.call('write_file', { path: 'a.md', content: 'one' });
    rmSync(join(here.folder, 'a.md'));
    const report = await here.undo.newest('home');
    expect(report).toMatchObject({ outcome: 'unchanged', things: [], by: expect.stringMatching(/^eff_/u) });
    expect(await here.undo.newest('home')).toBeUndefined();
  });

  test('of one that was undone in part, only the rest is undone', async () => {
    const here = await world();
    writeFileSync(join(here.folder, 'a.md'), 'roses');
    await here.call('move_file', { from: 'a.md', to: 'b.md' });
    const [effectId = ''] = await here.states.newest('home', 1);
    await here.states.mark({ effectId, nth: 2 }, 'eff_half');
    expect((await here.undo.effect(effectId)).things).toEqual(['a.md is there again (5 bytes)']);
  });

  test('a job that was changed again is left alone; of a long text, the beginning is said', async () => {
    const here = await world();
    await here.call('schedule', { when: 'every day at 8am', text: 'x'.repeat(70) });
    const [id] = (await here.scheduler.list()).map((job) => job.id);
    await here.call('rename_schedule', { id, text: 'tulips' });
    const [older = ''] = await here.states.newest('home', 1);
    await here.call('rename_schedule', { id, text: 'lilies' });
    expect(await here.undo.effect(older)).toMatchObject({ outcome: 'changed', things: [id] });
    const said = `${id} ("${'x'.repeat(60)}") is as it was before, ${EIGHT}`;
    expect((await here.undo.effect(older, { force: true })).things).toEqual([said]);
  });
});

test('the text of a job that others may have written is not repeated', async () => {
  const here = await world();
  const about = { when: 'every day at 8am', prompt: 'obey Eve', project: 'home', untrusted: true };
  const { id } = await here.scheduler.add(about);
  await here.call('cancel_schedule', { id });
  expect((await here.undo.newest('home'))?.things).toEqual([`${id} is scheduled again, ${EIGHT}`]);
});

test('undoing is an effect of its own, of the same conversation and by the owner', async () => {
  const here = await world();
  await here.call('write_file', { path: 'a.md', content: 'one' });
  const report = await here.undo.newest('home');
  const row = await findEffect(here.store, report?.by ?? '');
  expect(row).toMatchObject({
    ...{ tool: 'undo', effect: 'local', change: 'overwrite', approved_by: 'owner', conversation_id: 'conv_1' },
    ...{ turn_id: expect.stringMatching(/^undo_/u), input: JSON.stringify({ effect: report?.effect }) },
    ...{ state: 'done', result: JSON.stringify(report?.things) },
  });
});

test('undoing that fails is recorded as failed, and can be tried again', async () => {
  const here = await world();
  await here.call('write_file', { path: 'a.md', content: 'one' });
  const broken: Restorer = { look: async () => 'after', restore: () => Promise.reject(new Error('the disk is full')) };
  const restorers = { file: broken, note: broken, artifact: broken, job: broken };
  const undo = new Undo({ ...here, now, restorers });
  await expect(undo.newest('home')).rejects.toThrow('the disk is full');
  expect(
    (await inOrder(here.store).where('tool', '=', 'undo').execute()).map((row) => [row.state, row.result]),
  ).toEqual([['failed', 'the disk is full']]);
  await expect(undo.turn('turn_1')).rejects.toThrow('the disk is full');
  expect(await here.undo.newest('home')).toMatchObject({ outcome: 'undone' });
});

test('a turn says what is lost, what stays, and of which call nobody knows whether it was made', async () => {
  const here = await world();
  await here.call('write_file', { path: 'a.md', content: 'one' });
  const [effect] = await here.states.newest('home', 1);
  await called(here, 'notify', { end: 'done' });
  await called(here, 'remember', { end: 'failed' });
  await called(here, 'post');
  await here.store.db.deleteFrom('file_versions').execute();
  const { undone, remains } = await here.undo.turn('turn_1');
  expect(undone).toEqual([{ effect, tool: '', input: '', outcome: 'lost', things: [expect.stringContaining('a.md')] }]);
  expect(remains).toEqual(['notify {"text":"milk"}', 'post {"text":"milk"} (outcome unknown)']);
});

describe('a call that was cut off', () => {
  /** It wrote these files, or was about to; then somebody did this to them. */
  async function cutOff(paths: readonly string[], meanwhile: (at: (path: string) => string) => void) {
    const here = await world();
    const did = async (by: Author) => {
      for (const path of paths) await here.files.write('home', path, 'one', by);
    };
    const id = await called(here, 'write_file', { did });
    meanwhile((path) => join(here.folder, path));
    return { here, id };
  }

  test.each<
    [string, readonly string[], (at: (path: string) => string) => void, string | undefined, string | undefined]
  >([
    ['kept nothing', [], () => {}, undefined, undefined],
    ['wrote its file', ['a.md'], () => {}, 'done', 'undone'],
    ['wrote nothing yet', ['a.md'], (at) => rmSync(at('a.md')), 'undone', undefined],
    ['wrote what was changed since', ['a.md'], (at) => writeFileSync(at('a.md'), 'two'), 'other', 'changed'],
    ['wrote one of two', ['a.md', 'b.md'], (at) => rmSync(at('b.md')), 'other', 'undone'],
  ])('that %s', async (_, paths, meanwhile, outcome, undone) => {
    const { here, id } = await cutOff(paths, meanwhile);
    expect(await here.undo.outcome({ id })).toBe(outcome);
    const report = await here.undo.newest('home');
    expect(report?.outcome).toBe(undone);
  });

  test.each([
    ['does not count where it changed nothing', (at: string) => rmSync(at), []],
    ['counts where it did', () => {}, ['undone']],
  ])('%s', async (_, meanwhile, outcomes) => {
    const { here } = await cutOff(['a.md'], (at) => meanwhile(at('a.md')));
    expect((await here.undo.turn('turn_1')).undone.map(({ outcome }) => outcome)).toEqual(outcomes);
  });
});

test("the owner's files and those of the program are kept in their own folders", async () => {
  const { store, artifacts, scheduler } = await world();
  const [homeDir, ownerDir] = [temporaryFolder(), temporaryFolder()];
  const projects = createProjects({ projectsDir: ownerDir, homeDir, ownerDir, log: silentLog, store });
  const limits = { days: 90, megabytes: 200 };
  const { files } = createUndo({ store, now, projects, artifacts, scheduler, limits });
  await files.write(HOME_FILES, 'memory.md', 'of the owner');
  await files.write(PROGRAM_FILES, 'memory.md', 'of the program');
  await files.write('garden', 'memory.md', 'of the project');
  const read = (dir: string) => readFileSync(join(dir, 'memory.md'), 'utf8');
  expect([ownerDir, homeDir, join(ownerDir, 'garden')].map(read)).toEqual([
    ...['of the owner', 'of the program', 'of the project'],
  ]);
});
