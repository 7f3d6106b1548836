import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { completing } from '../../embed/provider.ts';
import { openCommands } from '../../testing/commands.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { StandIn } from '../../testing/stand-in.ts';
import { installStarters } from './starters.ts';

const STARTERS = resolve(import.meta.dirname, '../starters');
const DOCS = readFileSync(resolve(import.meta.dirname, '../../../docs/programs.md'), 'utf8');
const FILES = {
  'roof.txt': 'Roofers Ltd. Invoice 55 of 1 November 2026.\nAmount due: 1,250.00 EUR, payable by 15 November 2026.\n',
  'water.txt': 'Galway Water. Invoice 117 of 3 November 2026.\nAmount due: 84.20 EUR, payable by 30 November 2026.\n',
};
const READ = {
  Roofers: { isInvoice: true, sender: 'Roofers Ltd.', amount: '1,250.00 EUR', due: '2026-11-15' },
  Galway: { isInvoice: true, sender: 'Galway Water', amount: '84.20 EUR', due: '2026-11-30' },
};

/** Reads invoices as they are; sums up in one sentence. */
class Reader extends StandIn {
  override async complete(options: Parameters<StandIn['complete']>[0]) {
    const asked = JSON.stringify(options);
    const read = Object.entries(READ).find(([name]) => asked.includes(`${name} `))?.[1];
    if (!options.tools?.length) this.next.push(read ?? 'The boiler was serviced, and nothing is left to do.');
    return super.complete(options);
  }
}

afterEach(() => vi.useRealTimers());

/** A home on a Friday morning, with the programs. */
async function world({ withModel = false } = {}) {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-27T07:30:00Z') });
  const commands = await openCommands(withModel ? { replies: [] } : {});
  const { app, session, home, run } = commands;
  const model = new Reader();
  if (withModel) app.models.registerProvider('scripted', completing(model));
  const around = { ...app.tools, ...session };
  const installed = await installStarters(app.tools.programs, around);
  const printed = async (name: string) => {
    const { code, lines, notes } = await run(['think', 'run', name]);
    expect([code, notes]).toEqual([0, []]);
    return lines;
  };
  const note = async (text: string) => {
    writeFileSync(join(home, 'note.tl'), `writeNote(${JSON.stringify(text)})`);
    await printed(join(home, 'note.tl'));
  };
  return { ...commands, around, model, installed, printed, note };
}

async function withInvoices(options: Parameters<typeof world>[0] = {}) {
  const all = await world(options);
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  await all.run(['ingest', folder]);
  return all;
}

const BRIEF = [
  'Friday, 27 November 2026 at 07:30',
  '- 09:00 call Anna',
  'On your shopping list: milk, eggs',
  'Note of 2026-11-27 07:30: the boiler was serviced',
];
const REVIEW = [
  'Notes of the last 7 days: 1',
  '- 2026-11-27 the boiler was serviced',
  'Still on your shopping list: 2',
  'Planned for the next 7 days: 1',
  '- 2026-11-30 water the plants',
];
const CHECKED = [
  'Due soon: Galway Water, 84.20 EUR by 2026-11-30 [water.txt, lines 1-2]',
  'OVERDUE: Roofers Ltd., 1,250.00 EUR by 2026-11-15 [roof.txt, lines 1-2]',
];

test('they are on once they are installed', async () => {
  const { installed, app, around } = await world();
  const states = installed.map(({ name, state }) => `${name} ${state}`);
  expect(states).toEqual(['invoice-check on', 'morning-brief on', 'weekly-review on']);
  expect((await app.tools.programs.list(around)).map(({ state }) => state)).toEqual(['on', 'on', 'on']);
});

test('the brief and the review say what there is, without a model', async () => {
  const { printed, say, note } = await world();
  await note('the boiler was serviced');
  await say('remind me today at 9 to call Anna');
  await say('remind me on Monday at 10 to water the plants');
  await say('add milk and eggs to my shopping list');
  expect(await printed('morning-brief')).toEqual(BRIEF);
  expect(await printed('weekly-review')).toEqual(REVIEW);
  for (const shown of [BRIEF, REVIEW]) expect(DOCS).toContain(shown.join('\n'));
});

test('without a model the passages about invoices are listed as they are', async () => {
  const { say } = await withInvoices();
  const [first, ...found] = (await say('run invoice check')).text.split('\n');
  expect(first).toBe('No model could read them, so this is what was found:');
  expect(found.join('\n')).toContain('payable by 30 November 2026. [water.txt, lines 1-2]');
});

test('a model reads the invoices, and what a note says is paid is left out', async () => {
  const { printed, note } = await withInvoices({ withModel: true });
  expect((await printed('invoice-check')).toSorted()).toEqual(CHECKED);
  await note('paid Roofers Ltd. today');
  expect(await printed('invoice-check')).toEqual(CHECKED.slice(0, 1));
  expect(DOCS).toContain(CHECKED.toReversed().join('\n'));
});

test('their tests pass by the recorded answers alone', async () => {
  const { home, run, model } = await world({ withModel: true });
  if (process.env.UPDATE_STARTERS) await run(['think', 'test', STARTERS, '--update-snapshots']);
  const { code, lines } = await run(['think', 'test', join(home, 'programs'), '--replay']);
  expect([code, lines.at(-1)]).toEqual([0, '8 passed, 0 failed']);
  expect(model.requests).toEqual([]);
});

test('what is there stays as it is, and is not switched on', async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'programs'));
  const own = join(home, 'programs', 'morning-brief.tl');
  writeFileSync(own, 'print "mine"\n');
  const { app, session } = await openCommands({ home });
  const around = { ...app.tools, ...session };
  const installed = await installStarters(app.tools.programs, around);
  expect(installed.find(({ path }) => path === own)?.state).toBe('kept');
  expect(readFileSync(own, 'utf8')).toBe('print "mine"\n');
  const listed = await app.tools.programs.list(around);
  expect(listed.find(({ path }) => path === own)?.state).toBe('off');
  expect(readdirSync(join(home, 'programs')).length).toBe(readdirSync(STARTERS).length);
});
