import { describe, expect, test } from 'vitest';
import type { Decision } from '../../base/turn.ts';
import { hostileWorld, type Order } from '../../testing/hostile-world.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { sqlRun } from '../../testing/sql.ts';

const note = (text: string): Order => ({ name: 'write_note', args: { text } });
const fetchPage = (url: string): Order => ({ name: 'fetch_text', args: { url } });
const search = (query: string): Order => ({ name: 'web_search', args: { query } });
const remind = (when: string, text: string): Order => ({ name: 'schedule', args: { when, text } });
const write = (path: string): Order => ({ name: 'write_file', args: { path, content: 'x' } });
const tell = (text: string, to?: string): Order => ({ name: 'notify', args: { text, ...(to ? { to } : {}) } });
const discord = (text: string): Order => ({ name: 'discord_notify', args: { text } });
const signal = (text: string): Order => ({ name: 'signal_notify', args: { text } });
const cancel: Order = { name: 'cancel_schedule', args: { id: 'job_1' } };
const mail: Order = { name: 'read_mail', args: {} };
const diary: Order = { name: 'read_diary', args: {} };
const letter: Order = { name: 'read_file', args: { path: 'letter.txt' } };
const rag = (query: string): Order => ({ name: 'query_rag', args: { query } });
const jobs: Order = { name: 'list_schedules', args: {} };
const folder: Order = { name: 'list_directory', args: {} };
const keep: Order = { name: 'artifact_store', args: { data: [1] } };
const clock: Order = { name: 'current_time', args: {} };

/** What a person asks, and the calls that a sensible model makes for it. None of them may ask. */
const EVERYDAY: readonly (readonly [said: string, calls: readonly Order[]])[] = [
  ['note that we are out of milk', [note('out of milk')]],
  ['write down: Anna likes tea', [note('Anna likes tea')]],
  ['add eggs and flour to my notes', [note('eggs'), note('flour')]],
  ['remind me tomorrow at 8 to call mum', [remind('tomorrow 8am', 'call mum')]],
  ['every weekday at 9 tell me to stretch', [remind('every weekday at 9', 'stretch')]],
  ['set a timer for 20 minutes', [remind('in 20 minutes', 'timer')]],
  ['what is scheduled?', [jobs]],
  ['cancel the plant reminder', [jobs, cancel]],
  ['move the plant reminder to 10', [jobs, cancel, remind('at 10', 'water the plants')]],
  ['send me a test message', [tell('test')]],
  ['message me on discord: dinner is ready', [discord('dinner is ready')]],
  ['signal me the shopping list: milk, eggs', [signal('milk, eggs')]],
  ['ping me on every channel', [tell('ping'), discord('ping'), signal('ping')]],
  ['write a haiku to haiku.txt', [write('haiku.txt')]],
  ['replace will.txt with x', [write('will.txt')]],
  [
    'read https://page.example/story and note it in story.md',
    [fetchPage('https://page.example/story'), write('story.md')],
  ],
  ['save this draft as drafts/one.md', [write('drafts/one.md')]],
  ['delete will.txt', [{ name: 'delete_file', args: { path: 'will.txt' } }]],
  ['what files are there?', [folder]],
  ['read letter.txt', [letter]],
  ['read letter.txt and note the gist', [letter, note('gist')]],
  ['read letter.txt and write a summary to summary.md', [letter, write('summary.md')]],
  ['what does my lease say about pets?', [rag('lease pets')]],
  ['look in my documents for the warranty and note the date', [rag('warranty date'), note('2027')]],
  ['compare both contracts in my documents', [rag('contract one'), rag('contract two')]],
  ['search the web for tide tables', [search('tide tables')]],
  ['weather in Oslo', [search('weather Oslo')]],
  ['search for node 24 release notes and note what is new', [search('node 24 release notes'), note('new')]],
  ['read https://page.example/story', [fetchPage('https://page.example/story')]],
  ['summarise page.example/story', [fetchPage('https://page.example/story')]],
  ['summarise https://page.example/story, please', [fetchPage('https://page.example/story')]],
  ['(see https://page.example/story)', [fetchPage('https://page.example/story')]],
  ['read http://page.example/story', [fetchPage('https://page.example/story')]],
  ['read www.page.example/story/', [fetchPage('https://page.example/story')]],
  ['what is new on page.example?', [fetchPage('https://page.example/')]],
  ['search for tides and read the first hit', [search('tides'), fetchPage('https://found.example/')]],
  ['search for tides, read it, note it', [search('tides'), fetchPage('https://found.example/'), note('tides')]],
  ['read https://a.example and https://b.example', [fetchPage('https://a.example'), fetchPage('https://b.example')]],
  [
    'read https://page.example/story and save it as story.txt',
    [fetchPage('https://page.example/story'), write('story.txt')],
  ],
  ['read the page https://page.example/story and keep it', [fetchPage('https://page.example/story'), keep]],
  ['any mail?', [mail]],
  ['read my mail and note what is urgent', [mail, note('urgent')]],
  ['read my mail, then search for the plumber Huber', [mail, search('plumber Huber')]],
  ['read my mail, then read https://page.example/story', [mail, fetchPage('https://page.example/story')]],
  ['check my diary and search for good cafes in Oslo', [diary, search('good cafes Oslo')]],
  ['check my documents and the web for heat pumps', [rag('heat pumps'), search('heat pumps')]],
  [
    'find heat pumps on the web, read one, compare with my documents',
    [search('heat pumps'), fetchPage('https://found.example/'), rag('heat pumps'), note('compared')],
  ],
  ['what does my diary say?', [diary]],
  ['send me what my diary says', [diary, tell('my diary')]],
  ['put a line of my diary on discord for me', [diary, discord('a line')]],
  ['remind me of what my diary says for May', [diary, remind('on 1 May at 9am', 'diary')]],
  ['what time is it?', [clock]],
  ['what time is it, and note it', [clock, note('10:00')]],
  ['what are my notes?', [{ name: 'list_directory', args: { path: '.' } }]],
  ['keep this table for later', [keep]],
  ['keep this, then note that you did', [keep, note('kept')]],
  ['list the files and read the letter', [folder, letter]],
  ['clean up: cancel job_1 and note it', [cancel, note('cleaned')]],
  ['draft three files', [write('a.md'), write('b.md'), write('c.md')]],
  ['what did Müller write? search Müller Zürich', [search('Müller Zürich')]],
  ['suche das Wetter in Köln', [search('Wetter Köln')]],
  ['lies https://page.example/story und notiere es', [fetchPage('https://page.example/story'), note('es')]],
  ['erinnere mich morgen um 8 an den Müll', [remind('morgen 8 Uhr', 'Müll')]],
  ['notiere: Milch ist aus', [note('Milch ist aus')]],
  ['schick mir eine Nachricht auf Discord', [discord('Nachricht')]],
];

/** Files that programs may run: after text of others was read in the same conversation, each of them is shown first. */
const PROGRAMS: typeof EVERYDAY = [
  ['write a shell script that says hello', [write('hello.sh')]],
  ['write a python script that says hello', [write('hello.py')]],
  ['add node_modules to the .gitignore', [write('.gitignore')]],
  ['write a Makefile with the target all', [write('Makefile')]],
  ['make me a web page about otters', [write('index.html'), write('style.css'), write('app.js')]],
];

test('there are at least 60 requests', () => expect(EVERYDAY.length).toBeGreaterThanOrEqual(60));

describe('passes without a question', () => {
  test.each([...EVERYDAY, ...PROGRAMS])('%s', async (said, calls) => {
    const scope = await testScope({ turn: { text: said } });
    // The owner's own journal and schedules, which hold nothing untrusted.
    const world = await hostileWorld('Some text with a few words.', scope.store, 'lease.pdf');
    await sqlRun(scope.store, 'DELETE FROM origins');
    const toolbox = testToolbox(world.tools, scope);
    for (const { name, args } of calls) expect(await toolbox.call(name, args, scope), name).toMatchObject({ ok: true });
    expect(scope.events.filter(({ type }) => type === 'approval')).toEqual([]);
  });
});

/** What the owner does want to be asked about, once each in the week. */
const ASKED: readonly (readonly [said: string, calls: readonly Order[]])[] = [
  ['mail Bob that I am late', [{ name: 'send_mail', args: { to: 'bob@home.example', body: 'late' } }]],
  ['from now on answer in rhymes in this project', [{ ...write('prompt.txt') }]],
  ['throw everything away for good', [{ name: 'purge_all', args: {} }]],
];

test('a week of 200 requests, a conversation a day, asks three times: each time for good reason', async () => {
  const yes: Decision = { verdict: 'once', by: 'terminal' };
  const week = Array.from({ length: 197 }, (_, index) => EVERYDAY[index % EVERYDAY.length] ?? EVERYDAY[0]);
  week.splice(20, 0, ASKED[0]);
  week.splice(90, 0, ASKED[1]);
  week.splice(170, 0, ASKED[2]);
  const first = await testScope();
  const world = await hostileWorld('Some text with a few words.', first.store, 'lease.pdf');
  await sqlRun(first.store, 'DELETE FROM origins');
  const questions: unknown[] = [];
  let day = first;
  for (const [index, [said = '', calls = []] = []] of week.entries()) {
    const turn = { id: `turn_${index}`, conversationId: `day_${Math.floor(index / 29)}`, text: said };
    const next = await testScope({ store: first.store, turn, decide: yes });
    // Within a day everything that was read and said stays.
    const scope = index % 29 === 0 ? next : { ...next, labels: day.labels, said: [...day.said, said] };
    day = scope;
    const toolbox = testToolbox(world.tools, scope);
    for (const { name, args } of calls) expect(await toolbox.call(name, args, scope), said).toMatchObject({ ok: true });
    questions.push(...scope.events.filter((event) => event.type === 'approval' && event.decision !== undefined));
  }
  expect(week).toHaveLength(200);
  expect(questions).toMatchObject([{ tool: 'send_mail' }, { tool: 'write_file' }, { tool: 'purge_all' }]);
});
