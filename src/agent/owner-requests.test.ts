import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Mode } from '../base/turn.ts';
import { lastingFolder } from '../testing/home.ts';
import type { Order } from '../testing/hostile-world.ts';
import { openPuppet, type PuppetProgram } from '../testing/puppet-program.ts';

const DOCUMENTS: Readonly<Record<string, string>> = {
  'garden.md': '# Garden\n\nThe shed code is 4711. Roses are cut in March.\n',
  'car.md': '# Car\n\nThe car test is due on 12 May 2027.\n',
  'lease.md': '# Lease\n\nPets are allowed. Notice is three months.\n',
  'risks.md': '# Risks\n\nThe roof leaks. The boiler is old.\n',
  'meetings.md': '# Meetings\n\nThe next meeting is on 3 March 2027 at 10.\n',
  'contacts.csv': 'name,phone\nIngrid,0151 555\nOskar,0170 777\n',
  'recipes/cake.md': '# Cake\n\n200 g flour, 3 eggs.\n',
  'thesis/outline.txt': 'Thesis\n\nChapter one is about tides.\n',
  'old/draft.md': '# Draft\n\nAn old draft of the talk.\n',
};

const read = (path: string): Order => ({ name: 'read_file', args: { path } });
const write = (path: string, content = 'as asked'): Order => ({ name: 'write_file', args: { path, content } });
const rag = (query: string): Order => ({ name: 'query_rag', args: { query } });
const note = (text: string): Order => ({ name: 'write_note', args: { text } });
const remind = (when: string, text: string): Order => ({ name: 'schedule', args: { when, text } });
const list = (path = '.'): Order => ({ name: 'list_directory', args: { path } });
const tell = (text: string): Order => ({ name: 'notify', args: { text } });
const keep = (data: unknown): Order => ({ name: 'artifact_store', args: { data } });
const notes: Order = { name: 'list_notes', args: {} };
const jobs: Order = { name: 'list_schedules', args: {} };
const clock: Order = { name: 'current_time', args: {} };
const cancel: Order = { name: 'cancel_schedule', args: { id: 'JOB' } };

/** What the owner asks about their own documents, and the calls that a sensible model makes for it. */
const REQUESTS: readonly (readonly [said: string, calls: readonly Order[]])[] = [
  [
    'remind me two weeks before the car test in my documents',
    [rag('car test'), remind('28 April 2027 9:00', 'car test')],
  ],
  ['in garden.md change the shed code to 0815', [read('garden.md'), write('garden.md', 'The shed code is 0815.')]],
  [
    'note the risks and remind me at the next meeting',
    [read('risks.md'), note('roof'), remind('3 March 2027', 'risks')],
  ],
  ['what does my lease say about pets?', [rag('lease pets')]],
  ['read lease.md and note how long the notice is', [read('lease.md'), note('three months')]],
  ['write a summary of my lease to summaries/lease.md', [read('lease.md'), write('summaries/lease.md')]],
  ['add cinnamon to the cake', [read('recipes/cake.md'), write('recipes/cake.md', 'cinnamon')]],
  ['what is in the recipes folder?', [list('recipes')]],
  ['make a shopping list from the cake recipe', [read('recipes/cake.md'), write('shopping.md')]],
  ['send me the cake recipe', [read('recipes/cake.md'), tell('200 g flour, 3 eggs')]],
  ['what is the phone number of Ingrid?', [rag('Ingrid phone')]],
  ['add Anna to contacts.csv', [read('contacts.csv'), write('contacts.csv', 'Anna,1')]],
  ['remind me tomorrow to call Ingrid', [rag('Ingrid phone'), remind('tomorrow 9am', 'call Ingrid')]],
  ['which files do I have?', [list()]],
  ['read the outline and write chapter one', [read('thesis/outline.txt'), write('thesis/one.md')]],
  ['rename the old draft by writing it to talk.md', [read('old/draft.md'), write('talk.md', 'An old draft')]],
  ['replace old/draft.md with one line', [read('old/draft.md'), write('old/draft.md', 'done')]],
  ['when is the next meeting?', [rag('next meeting')]],
  ['remind me an hour before the next meeting', [rag('next meeting'), remind('3 March 2027 9:00', 'meeting')]],
  ['every month remind me to check the risks', [read('risks.md'), remind('every month', 'check the risks')]],
  ['what reminders do I have?', [jobs]],
  ['cancel the reminder about the plants', [jobs, cancel]],
  ['cancel it and note that', [jobs, cancel, note('cancelled')]],
  ['move the reminder about the plants to ten', [jobs, cancel, remind('tomorrow 10am', 'water the plants')]],
  ['read garden.md, then cancel the reminder about the plants', [read('garden.md'), jobs, cancel]],
  ['note: roses were cut', [note('roses were cut')]],
  ['what did I note?', [notes]],
  ['sum up my notes in week.md', [notes, write('week.md')]],
  ['put what I noted about the lease into the lease file', [notes, read('lease.md'), write('lease.md', 'x')]],
  ['send me my notes', [notes, tell('your notes')]],
  ['keep a table of my contacts for later', [read('contacts.csv'), keep([['Ingrid', '0151 555']])]],
  ['what time is it, and what does the garden need?', [clock, rag('garden')]],
  ['compare the lease with the risks', [read('lease.md'), read('risks.md')]],
  ['collect everything about tides in tides.md', [rag('tides'), write('tides.md')]],
  ['write a plan for the garden', [rag('garden'), write('plans/garden.md')]],
  [
    'make three files for the three chapters',
    [read('thesis/outline.txt'), write('1.md'), write('2.md'), write('3.md')],
  ],
  ['write a small web page about the garden', [read('garden.md'), write('garden.html', '<p>Roses</p>')]],
  ['write a python script that adds up the contacts', [read('contacts.csv'), write('sum.py', 'print(2)')]],
  ['turn the contacts into JSON', [read('contacts.csv'), write('contacts.json', '[]')]],
  ['read the lease to me on my phone', [read('lease.md'), tell('Pets are allowed.')]],
  ['remind me of the notice period on Friday', [rag('notice'), remind('friday 9:00', 'notice')]],
  ['ping me in an hour about the boiler', [rag('boiler'), remind('in 1 hour', 'boiler')]],
  [
    'each weekday at 8 tell me the next meeting',
    [remind('every weekday at 8', 'say the next meeting in my documents')],
  ],
  ['note which risks are new and tell me', [read('risks.md'), note('none'), tell('none')]],
  ['empty the shopping list', [read('shopping.md'), write('shopping.md', '')]],
  ['what was the shed code?', [read('garden.md')]],
  [
    'delete what I planned for the garden by emptying the file',
    [read('plans/garden.md'), write('plans/garden.md', '')],
  ],
  ['was ist in garten.md? sonst nimm garden.md', [read('garden.md')]],
  ['erinnere mich an das Treffen', [rag('meeting'), remind('3 March 2027 8:00', 'Treffen')]],
  ['notiere die Risiken', [read('risks.md'), note('Dach, Kessel')]],
  ['schreib eine Einkaufsliste', [read('recipes/cake.md'), write('einkauf.md', 'Mehl, Eier')]],
  ['sag mir Bescheid, was in der Miete steht', [rag('lease'), tell('Haustiere erlaubt')]],
  ['read all of it and write a table of contents', [list(), read('lease.md'), read('car.md'), write('contents.md')]],
  ['what do I have to do this year?', [rag('car test'), rag('next meeting')]],
  [
    'note the car test, remind me, and tell me that you did',
    [rag('car test'), note('car'), remind('1 May 2027', 'car'), tell('ok')],
  ],
  ['correct the spelling in outline.txt', [read('thesis/outline.txt'), write('thesis/outline.txt', 'Thesis')]],
  ['write the same to two places', [read('car.md'), write('a/car.md'), write('b/car.md')]],
  ['keep the outline for the next conversation', [read('thesis/outline.txt'), keep('Chapter one')]],
  ['what is due, and note it', [jobs, note('nothing')]],
  ['start a diary of the garden in diary/garden.md', [read('garden.md'), write('diary/garden.md', 'Day one')]],
  ['write down what we agreed and remind me of it', [note('agreed'), remind('in 2 days', 'what we agreed')]],
];

test('there are at least 60', () => expect(REQUESTS.length).toBeGreaterThanOrEqual(60));

const MODES: readonly Mode[] = ['classic_tools', 'code_agent'];

describe.each(MODES)("the owner's own documents, %s, with nobody to ask", (mode) => {
  const home = lastingFolder();
  let program: PuppetProgram;

  beforeAll(async () => {
    for (const [name, text] of Object.entries(DOCUMENTS)) {
      const path = join(home.dir, 'projects/home', name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    program = await openPuppet(home.dir, '');
  });
  afterAll(async () => {
    await program.close();
    home.remove();
  });

  /** A reminder of the owner's to cancel. */
  async function withJob(calls: readonly Order[]): Promise<readonly Order[]> {
    if (!calls.includes(cancel)) return calls;
    const about = { when: 'every day at 9', prompt: 'water the plants', project: 'home', untrusted: false };
    const { id } = await program.app.schedule.jobs.add(about);
    return calls.map((call) => (call === cancel ? { name: call.name, args: { id } } : call));
  }

  test.each(REQUESTS)('%s', async (said, calls) => {
    const plan = { calls: await withJob(calls), obey: false };
    const made = await program.ask(plan, { mode, said, conversationId: `conv ${said}` });
    expect(made).toEqual(calls.map(() => expect.objectContaining({ ok: true })));
    expect(await program.app.tools.proposals.list()).toEqual([]);
  });
});
