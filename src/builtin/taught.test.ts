import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { MODES, type Mode, type Turn } from '../base/turn.ts';
import { testContext, testTurn } from '../testing/agent.ts';
import { openCommands } from '../testing/commands.ts';
import { temporaryFolder } from '../testing/home.ts';

const MINUTES = `# Committee minutes, 3 November

The committee met in the village hall on Tuesday. The roof of the hall leaks above the stage, and the repair costs 4,200 pounds.
Jo offered to ask three roofers for a price of the repair of the roof. Tea was served.

The committee agreed to raise the fee of the hall to 15 pounds an hour from January, since the repair of the roof has to be paid.
The next meeting of the committee is on 8 December in the hall.
`;
const EVENTS = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//test//EN
BEGIN:VEVENT
UID:choir
DTSTAMP:20261101T000000Z
DTSTART;TZID=Europe/Oslo:20261103T190000
DTEND;TZID=Europe/Oslo:20261103T210000
RRULE:FREQ=WEEKLY
EXDATE;TZID=Europe/Oslo:20261124T190000
SUMMARY:Choir
END:VEVENT
END:VCALENDAR
`.replaceAll('\n', '\r\n');

/** A whole program with documents and plugins, and one conversation with it. No model is configured. */
async function program(mode: Mode, calendar = true) {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-24T10:00:00Z') });
  const home = temporaryFolder();
  const own = join(home, 'user-plugins', 'boats');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'index.js'), OWN_PLUGIN);
  writeFileSync(join(own, 'examples.jsonl'), OWN_EXAMPLES);
  const plugins = {
    tasks: { enabled: true },
    habits: { enabled: true },
    calendar: { enabled: calendar },
    boats: { enabled: true },
  };
  const { app, run } = await openCommands({ home, config: { timeZone: 'Europe/Oslo', plugins } });
  const papers = temporaryFolder();
  writeFileSync(join(papers, 'committee-minutes.md'), MINUTES);
  writeFileSync(join(papers, 'boiler.md'), '# Boiler\n\nThe boiler was serviced on 5 May 2026 by Hart & Sons.\n');
  writeFileSync(join(papers, 'choir.ics'), EVENTS);
  await run(['ingest', papers]);
  let count = 0;
  const say = async (text: string, material?: Turn['material']) => {
    count += 1;
    const turn = testTurn(text, { id: `turn_${count}`, conversationId: 'conv_1', mode, ...(material && { material }) });
    return (await app.turns.run(turn, testContext({ now: () => new Date() }))).text;
  };
  const ingest = async (files: Readonly<Record<string, string>>) => {
    const folder = temporaryFolder();
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    await run(['ingest', folder]);
  };
  return { say, ingest };
}

/** As somebody writes one for their own home. */
const OWN_PLUGIN = `export default {
  name: 'boats', version: '1.0.0', description: 'Books boats.',
  getAgentTools: () => [{
    name: 'book_boat',
    description: 'Book a boat.',
    input: { type: 'object', properties: { name: { type: 'string' } } },
    policy: { effect: 'none' },
    execute: async ({ name }) => 'booked ' + name,
  }],
};`;
const OWN_EXAMPLES = `{"tool":"book_boat","intent":"book","input":{"name":"{name}"},"reply":{"":{"en":"Yours: {name}","de":"Deins: {name}"}},"en":["book the boat {name:name}"],"de":["buch das Boot {name:name}"]}\n`;

test.each(MODES)('plugins, documents, the calendar and undo are reached by their examples, in %s', async (mode) => {
  const { say } = await program(mode);
  expect(await say('put call the plumber in my inbox')).toBe('In your inbox: call the plumber');
  expect(await say("what's in my inbox?")).toContain('call the plumber');
  expect(await say('new habit: read 20 pages')).toBe('New habit, every day: read 20 pages');
  expect(await say('wie läuft es mit meinen Gewohnheiten?')).toContain('read 20 pages');

  expect(await say('what documents do you have?')).toMatch(
    /1\. boiler\.md\n2\. choir\.ics\n3\. committee-minutes\.md/u,
  );
  expect(await say('which documents are about the boiler?')).toMatch(/^About the boiler:\n1\. boiler\.md$/u);
  const summary = await say('can you summarise the minutes');
  expect(summary).toMatch(/repair of the roof.*\[committee-minutes\.md, line \d+\]/u);
  expect(summary).not.toContain('Tea was served');
  expect(await say('fass mir das Protokoll der Kirche zusammen')).toContain('kenne ich nicht');

  expect(await say('put lunch with Priya in the calendar, Friday at 1')).toContain('Friday 27 November 2026 at 13:00');
  await say('remind me on Friday at 9 to call Anna');
  const friday = await say("what's on Friday?");
  expect(friday).toMatch(/09:00: call Anna\n.*13:00: lunch with Priya/u);
  expect(await say('and tomorrow?')).toBe('Nothing is planned for Wednesday 25 November 2026.');
  expect(await say('am I free on 1 December?')).toContain('19:00: Choir');
  expect(await say("what's on today?")).not.toContain('Choir');

  await say('note: the key is under the mat');
  expect(await say('oops, take that back')).toContain('the key is under the mat');
  expect(await say('was habe ich notiert?')).not.toContain('mat');
  expect(await say('what did you change?')).toContain('call Anna');
});

test('a plugin of the user brings its examples along', async () => {
  const { say } = await program('classic_tools');
  expect(await say('please book the boat Luna')).toBe('Yours: Luna');
  expect(await say('buch das Boot Luna')).toBe('Deins: Luna');
});

test('without a calendar an appointment becomes a reminder, and it is said', async () => {
  const { say } = await program('classic_tools', false);
  expect(await say('put lunch with Priya in the calendar, Friday at 1')).toMatch(
    /^No calendar is connected, so I will remind you on Friday 27 November 2026 at 13:00: lunch with Priya/u,
  );
  expect(await say('make it 2pm')).toContain('14:00');
});

test.each(MODES)('what "it" means comes from what was done, not from how it was told, in %s', async (mode) => {
  const { say } = await program(mode);
  const made = await say('remind me tomorrow at 9 to water the orchids');
  expect(made).toContain(
    'Scheduled: water the orchids. It comes tomorrow, Wednesday 25 November 2026 at 09:00 (Europe/Oslo).',
  );
  expect(await say('what is 12 * 7?')).toBe('12 * 7 = 84');
  expect(await say('make it 7pm')).toContain('25 November 2026 at 19:00');
  expect(await say('and an hour earlier')).toContain('at 18:00');
  expect(await say('cancel it')).toMatch(
    /^Cancelled "water the orchids", which was to come on Wed[^\n]* at 18:00 \(Europe\/Oslo\)\.$/u,
  );
  expect(await say('list my reminders')).toBe('Nothing is scheduled.');
  expect(await say('add milk and tea to my shopping list')).toContain('milk');
  expect(await say('undo that')).toBe('Taken back on your shopping list: milk and tea.');
  expect(await say('show my shopping list')).toBe('Your shopping list is empty.');
  expect(await say('remind me tomorrow at 9 to call Anna')).toContain('call Anna');
  expect(await say('cancel it')).toContain('call Anna');
  expect(await say('mach das rückgängig')).toBe('Wieder da: call Anna, morgen um 09:00 Uhr.');
  expect(await say('list my reminders')).toContain('call Anna');
});

test.each(MODES)('a value is corrected where the request just before gave it, in %s', async (mode) => {
  const { say } = await program(mode);
  await say('note: the shelf is 55 cm wide');
  expect(await say('no, 60 not 55')).toBe('Corrected: the shelf is 60 cm wide');
  const notes = await say('show my notes');
  expect(notes).toContain('60 cm');
  expect(notes).not.toContain('55 cm');
  expect(await say('no, 7 not 5')).not.toContain('Corrected');
  await say('setz Milch und Eier auf die Einkaufsliste');
  expect(await say('nein, Sahne statt Milch')).toContain('Berichtigt');
  expect(await say('was steht auf der Einkaufsliste?')).toMatch(/- Sahne\n- Eier$/u);
});

test.each(MODES)('a text that comes with the request is answered from and summarised, in %s', async (mode) => {
  const { say } = await program(mode);
  const letter = 'Dear tenant,\n\nthe water is turned off on 3 December from 9 to 12. Please fill a bucket before.\n';
  const material = [{ name: 'letter.txt', text: letter, untrusted: true }];
  expect(await say('when is the water turned off?', material)).toContain(
    '3 December from 9 to 12. [letter.txt, Dear tenant, line',
  );
  expect(await say('what does the boiler cost?', material)).toBe('I found nothing about that in letter.txt.');
  expect(await say('fass das zusammen', material)).toContain('letter.txt, line');
  expect(await say('remind me of it tomorrow at 9', material)).toContain('summarise it');
  expect(await say('summarise this')).toContain('Which document?');
});

const PEOPLE = `name,phone,birthday,note
Anna Berg,0171 2223,1984-03-02,sister of Tom Reed
Tom Reed,0171 9981,1979-11-30,met through Anna
`;
const EXPENSES = `date,shop,category,amount
2026-10-02,Tesco,groceries,52.35
2026-10-09,Shell,fuel,61.00
2026-11-12,Tesco,groceries,47.15
`;

test.each(MODES)('a row answers what it is about, and rows are added up, in %s', async (mode) => {
  const { say, ingest } = await program(mode);
  await ingest({ 'people.csv': PEOPLE, 'expenses.csv': EXPENSES });
  expect(await say("what's Tom's phone number?")).toBe('Tom Reed: phone 0171 9981 [people.csv, lines 2-3]');
  expect(await say('how old is Anna?')).toContain('Anna Berg: 42');
  expect(await say("what is Bob's phone number?")).not.toMatch(/0171/u);
  expect(await say('total spending')).toContain('160.50: the sum of "amount" over 3 of the 3 rows in expenses.csv.');
  expect(await say('how much did I spend in October?')).toContain('113.35');
  expect(await say('and in November?')).toContain('47.15');
  expect(await say('spending by category')).toMatch(/- groceries: 99\.50\n- fuel: 61\.00$/u);
});

test.each(MODES)('"remind me of that" means what the documents have answered, in %s', async (mode) => {
  const { say, ingest } = await program(mode);
  await ingest({
    'bins.md': '# Bins\n\nThe garden waste is collected on Thursday.\n',
    'muell.md': '# Abfuhr\n\nDer Sperrmüll kostet 40 Euro.\n',
  });
  expect(await say('when is the garden waste collected?')).toContain(
    'The garden waste is collected on Thursday. [bins',
  );
  expect(await say('remind me of that')).toBe('When should I remind you: The garden waste is collected on Thursday?');
  expect(await say('tomorrow')).toMatch(/^At what time tomorrow/u);
  expect(await say('at 9')).toMatch(/^Scheduled: The garden waste is collected on Thursday\. /u);
  expect(await say('make it 10')).toMatch(/^Moved: The garden waste is collected on Thursday /u);
  expect(await say('was kostet der Sperrmüll?')).toContain('Der Sperrmüll kostet 40 Euro. [muell');
  expect(await say('erinnere mich morgen um 9 daran')).toMatch(/^Geplant: Der Sperrmüll kostet 40 Euro\. /u);
  expect(await say('who painted the ceiling?')).toContain('nothing');
  expect(await say('remind me of that tomorrow at 9')).toMatch(/^What should I remind you of/u);
  expect(await say('the ceiling')).toMatch(/^Scheduled: the ceiling\. /u);
});

test.each(MODES)('a reminder counts back from the one day that the answer names, in %s', async (mode) => {
  const { say, ingest } = await program(mode);
  await ingest({
    'dentist.txt': 'Dear Mr Okafor,\n\nyour dentist appointment is on Thursday 10 December 2026 at 14:15.\n',
    'permit.txt': 'Dear Mr Okafor,\n\nthe parking permit is valid from 3 December to 20 December 2026.\n',
  });
  expect(await say('when is my dentist appointment?')).toContain('at 14:15. [dentist');
  expect(await say('remind me of that two days before at 9')).toMatch(/on Tuesday 8 December 2026 at 09:00/u);
  expect(await say('when is the parking permit valid?')).toContain('20 December 2026. [permit');
  expect(await say('remind me of that two days before at 9')).toMatch(/^When exactly/u);
});
