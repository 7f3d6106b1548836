import { expect, test } from 'vitest';
import type { Hit } from '../rag/types.ts';
import { extractAnswer } from './extract.ts';

const hit = (text: string, heading: readonly string[] = []): Hit =>
  ({ text, heading, citation: '[a.md]', score: 1, chunkId: 1, documentId: 'a', file: 'a.md' }) as unknown as Hit;

const answerTo = (question: string, ...hits: readonly Hit[]) =>
  extractAnswer({ question, resolved: question }, hits).answer;

test('a passage that quotes the question is no answer to it', () => {
  const manual = hit('Try it:\n\n```sh\nask "Which code stands for a locked database?"\n```');
  const table = hit('| Code | What happened |\n|---|---|\n| `busy` | Another program has locked the **database**. |');
  expect(answerTo('Which code stands for a locked database?', manual, table)).toBe(
    '`busy`: Another program has locked the database. [a.md]',
  );
});

test('of a table the row answers, and its header says what it is about', () => {
  const fares = hit('| Line | Fare of a child |\n| Nesodden | 42 kroner |\n| Drøbak | 80 kroner |');
  expect(answerTo('what is the fare of a child to Nesodden', fares)).toBe('Nesodden: 42 kroner [a.md]');
});

test('a sentence that answers goes before one that asks', () => {
  const asks = hit('When is the boiler serviced? Ask Nordvarme.');
  const tells = hit('The boiler is serviced in March.');
  expect(answerTo('when is the boiler serviced', asks, tells)).toMatch(/^The boiler is serviced in March\./u);
});

test('a second sentence is quoted for what the first leaves out, and nothing is said twice', () => {
  const lease = hit('The deposit is 30,000 kroner. Sparebanken holds the deposit. The deposit is paid once.');
  expect(answerTo('what is the deposit in kroner, and who holds the deposit', lease).split('\n')).toEqual([
    'The deposit is 30,000 kroner. [a.md]',
    'Sparebanken holds the deposit. [a.md]',
  ]);
});

test('where the best sentence covers too little, none is quoted and the confidence says so', () => {
  const other = hit('The flat is on the third floor.');
  const found = extractAnswer({ question: 'notice period', resolved: 'notice period leave flat' }, [other]);
  expect(found.answer).toBe('');
  expect(found.confidence).toBeGreaterThan(0);
  expect(extractAnswer({ question: 'x', resolved: 'x' }, [])).toEqual({ answer: '', confidence: 0 });
});

test('the forms of a verb are one word, and papers may say it in another', () => {
  const lease = hit('The tenant may end the tenancy by two months of notice. It must be sent to the agent, Ms Nair.');
  expect(answerTo('who do I send it to', lease)).toBe('It must be sent to the agent, Ms Nair. [a.md]');
  const recipe = hit('Simmer the sauce for 40 minutes. Bake for 35 minutes.', ['Lasagne']);
  expect(answerTo('how long does the lasagne go in the oven', recipe)).toMatch(/^Bake for 35 minutes/u);
});

test('what only has the verb of a question is no answer to it', () => {
  expect(answerTo('how do I change a tyre', hit('The change takes effect in December.'))).toBe('');
});

test('a line of a letterhead answers nothing', () => {
  const letter = hit('Severn Savings Department\n\nYour savings rate falls to 2 percent. Ring us.');
  expect(answerTo('what about my savings', letter)).toMatch(/^Your savings rate/u);
});

test('a German question is read as German: its small words are none to find, and an ending hides no word', () => {
  const letter = hit(
    [
      'Ihre Jahresabrechnung Strom\n\nIhre geleisteten Abschläge belaufen sich auf 756,00 €.',
      'Bitte überweisen Sie die Nachzahlung für den Strom bis zum 10. November.',
      'Ihr neuer monatlicher Abschlag beträgt 68,00 €. Bei Fragen erreichen Sie uns von 8 bis 18 Uhr.',
    ].join(' '),
  );
  expect(answerTo('wie hoch ist der neue Abschlag', letter)).toBe(
    'Ihr neuer monatlicher Abschlag beträgt 68,00 €. [a.md]',
  );
  expect(answerTo('bis wann muss ich die Nachzahlung für den Strom überweisen?', letter)).toBe(
    'Bitte überweisen Sie die Nachzahlung für den Strom bis zum 10. November. [a.md]',
  );
  expect(answerTo('wann ist bei uns Mittagsruhe?', letter)).toBe('');
});

test('a row answers what something costs by its amount', () => {
  const costs = hit(
    '| Posten | Anbieter | Betrag im Monat |\n| Fitnessstudio | McFit | 24,90 |\n| Handy | Congstar | 22,00 |',
  );
  const rent = hit('Die Nettokaltmiete beträgt monatlich 690,00 €.');
  expect(answerTo('Wie viel kostet das Fitnessstudio im Monat?', costs, rent)).toMatch(/^Fitnessstudio: .*24,90/u);
});

test('German words are read through their compounds and forms', () => {
  const leave = hit('Der Erholungsurlaub beträgt 29 Arbeitstage. Resturlaub verfällt am 31. März.', ['Urlaub']);
  expect(answerTo('Wie viele Urlaubstage habe ich?', leave)).toMatch(/^Der Erholungsurlaub/u);
  const home = hit('Bis zu zwei Tage darf von zu Hause gearbeitet werden. Den Laptop stellt sie.', ['Homeoffice']);
  expect(answerTo('Darf ich im Homeoffice arbeiten?', home)).toMatch(/^Bis zu zwei Tage/u);
});

test('"was kostet" asks for a price, and "vom 7. bis 11. Dezember" ends no sentence', () => {
  const bike = hit('Der Preis beträgt 4.290 €. Die Gewährleistung auf das Lastenrad beträgt zwei Jahre.', [
    'Lastenrad',
  ]);
  expect(answerTo('Was kostet das Lastenrad?', bike)).toMatch(/^Der Preis beträgt 4\.290 €/u);
  const windows = hit('In der Woche vom 7. bis 11. Dezember werden die Fenster ausgetauscht.');
  expect(answerTo('Wann werden die Fenster ausgetauscht?', windows)).toMatch(/^In der Woche vom 7\. bis 11\./u);
});

test('what stands apart from its verb belongs to it', () => {
  const router = hit('Den Knopf zehn Sekunden lang drücken. Danach startet der Router neu.', [
    'Router',
    'Zurücksetzen',
  ]);
  expect(answerTo('Wie setze ich den Router zurück?', router)).toMatch(/^Den Knopf/u);
  const bike = hit('Das Rad kann ab dem 12. Januar abgeholt werden. Es ist grün.', ['Kauf', 'Lastenrad']);
  expect(answerTo('Wann kann ich das Lastenrad abholen?', bike)).toMatch(/^Das Rad kann ab dem 12\. Januar/u);
  expect(answerTo('Wann holen wir das Lastenrad ab?', bike)).toMatch(/^Das Rad kann ab dem 12\. Januar/u);
});

test('who does it may stand behind the sentence that says what is done', () => {
  const windows = hit('Am 7. Dezember werden die Fenster ausgetauscht. Die Firma Glas Beck kommt um 8 Uhr.');
  expect(answerTo('Wer tauscht die Fenster aus?', windows)).toBe('Die Firma Glas Beck kommt um 8 Uhr. [a.md]');
});

test.each([
  ['Was kostet der Kellerraum?', 'Ab Januar kostet das Mittagessen 3,80 €.'],
  ['Wann kommt der Schornsteinfeger?', 'Die Handwerker kommen um 8 Uhr.'],
  ['Welche Schuhgröße hat Mattis?', 'Turnverein, Mitglied Mattis, Beitrag 96 €.'],
  ['Wie viele Schlüssel habe ich zur Wohnung?', 'Die Wohnung im 3. Obergeschoss hat 3 Zimmer.'],
  ['Wer hat die Wohnung gestrichen?', 'Vermietet wird die Wohnung im 3. Obergeschoss.'],
])('a sentence about something else is no answer: %s', (question, text) => {
  const other = hit('Der Kellerraum Nr. 7 gehört dazu. Schlüssel gibt der Hausmeister aus.');
  expect(answerTo(question, hit(text), other)).toBe('');
});

test('the name of a file says what it is about', () => {
  const contract = {
    ...hit('Die Mindestlaufzeit endet am 14. August 2027. Anrufe kosten 0,19 €.'),
    file: 'Handyvertrag.txt',
  };
  expect(answerTo('Bis wann läuft der Handyvertrag?', contract)).toMatch(/^Die Mindestlaufzeit endet/u);
});

test('a heading that is what was asked about counts more than a part of it in a sentence', () => {
  const lock = hit('Halten Sie die Taste drei Sekunden lang gedrückt, um sie einzuschalten.', ['Kindersicherung']);
  const lamp = hit('Schalten Sie die Sicherung aus.', ['Beleuchtung']);
  expect(answerTo('Wie schalte ich die Kindersicherung ein?', lamp, lock)).toMatch(/^Halten Sie/u);
});

const lease = hit('4.1 The garden is kept tidy. 4.2 Not to keep any animal without the consent of the landlord.', [
  'Agreement',
  "4. Tenant's duties",
]);
const named = (file: string, text: string, heading: readonly string[] = []): Hit => ({ ...hit(text, heading), file });

test.each<[string, RegExp, ...Hit[]]>([
  // A sentence that merely permits something is about something else.
  ['am I allowed to have a dog?', /^4\.2 Not to keep any animal/u, hit('Fires are only allowed in March.'), lease],
  ['may I keep a rabbit?', /^4\.2 Not to keep any animal/u, hit('You may keep the box for three weeks.'), lease],
  [
    'what happens if I pay the fee too late?',
    /^Interest of 3 %/u,
    hit('The fee is £30 and is paid in advance. Interest of 3 % is charged on overdue fees.', ['Club', 'Fees']),
  ],
  [
    'what do I pay for the bike insurance each month?',
    /^You pay £7\.20/u,
    hit('Pawsafe, 9.80 a month.', ['Rex (dog)', 'Insurance']),
    named('bike-insurance-letter.txt', 'You pay £7.20 on the 3rd of each month. The excess is £50.'),
  ],
  [
    "what's the fine when I return a film late?",
    /^40p per day/u,
    hit('Films are lent for a week. There is a film night on Friday.', ['Library']),
    hit('40p per day. No charge for children.', ['Library', 'What does it cost if I bring films back late?']),
  ],
  [
    'how do I descale the kettle?',
    /^Fill it with vinegar/u,
    hit('The kettle holds 1.7 litres.', ['Kettle']),
    hit('Fill it with vinegar and water. Wait for an hour.', ['Kettle', 'Descaling the kettle']),
  ],
  [
    'how long before leaving do I have to give notice?',
    /^7\.1 The tenant gives/u,
    hit('7.2 The landlord gives two months of notice. 7.1 The tenant gives one month of notice.', ['Lease', 'Notice']),
  ],
  [
    'Was kostet die Glasversicherung?',
    /^Der Jahresbeitrag/u,
    named('glas-versicherung.txt', 'Glas ist bis 900 € versichert. Der Jahresbeitrag beläuft sich auf 31,20 €.'),
  ],
  [
    'Wie lange dauert das Seidenprogramm?',
    /^Seide: .*0:45 h/u,
    hit('| Programm | Temperatur | Dauer |\n| Leinen | 60 °C | 1:50 h |\n| Seide | 30 °C | 0:45 h |', [
      'Waschmaschine',
      'Programme',
    ]),
  ],
  [
    'Kann ich mein Auto verleihen?',
    /^Dritten darf der Wagen/u,
    hit('Das Auto steht in der Garage.', ['Vertrag', '§ 1 Stellplatz']),
    hit('Dritten darf der Wagen nur mit Zustimmung überlassen werden.', ['Vertrag', '§ 4 Verleihung']),
  ],
  [
    'what must the rabbit not eat?',
    /^No cabbage/u,
    hit('40 g of hay at 8. No cabbage, it makes her ill.', ['Dot (rabbit)', 'Feeding']),
  ],
  [
    'Was heißt H31?',
    /^H31: Der Filter/u,
    hit('- **H31:** Der Filter ist voll.\n- **H32:** Die Tür ist offen.', ['Herd']),
  ],
  [
    'Was darf die Katze nicht fressen?',
    /^Keine Milch/u,
    hit('Zweimal täglich 60 g Futter. Keine Milch, davon bekommt sie Durchfall.', ['Minka (Katze)', 'Futter']),
  ],
  [
    'Wie hoch ist die Miete auf Rügen?',
    /^Miete 640 €/u,
    named('ruegen-reise.md', 'Miete 640 €, Kaution 100 €.', ['Urlaub', 'Kosten']),
  ],
])('%s', (question, answer, ...hits) => expect(answerTo(question, ...hits)).toMatch(answer));

test.each([
  ['Was kostet das Fahrrad in der Inspektion?', hit('| Was | Betrag |\n| Fahrrad Schlauch | 8,90 |')],
  ["what's the password of the wifi?", hit('Broadband: 33.50', ['Bill'])],
  ['how many days of holiday do I have?', hit('Films: seven days. On leaving, three sets of keys are returned.')],
  ['what happens with extra chairs?', hit('Yes, up to four chairs in a row.', ['FAQ', 'Can I book a hall?'])],
  ['Was kostet die Klavierstunde?', hit('Ja, acht Stunden kosten 60 €.', ['Bad', 'Gibt es Kurse?'])],
  ['Darf mein Bruder mit 19 das Boot fahren?', hit('Erwachsene 12 €, Kinder 6 €, Familien 19 €.', ['Zoo', 'Eintritt'])],
  ['how do I cancel the gym?', hit('Children must be with an adult.', ['Gym'])],
])('what is only near is no answer: %s', (question, other) => {
  expect(answerTo(question, other, hit('The stairs are cleaned on Monday.'))).toBe('');
});

test.each<[string, readonly RegExp[], ...Hit[]]>([
  [
    'when is the roof done and who does it?',
    [/in the week of 4 May/u, /Norton & Sons/u],
    hit('The roof is done in the week of 4 May. Norton & Sons do it.', ['Minutes', 'Roof']),
  ],
  [
    'Wann ist das Zeltlager und was kostet es?',
    [/2\. bis 5\. Juli/u, /62 €/u],
    hit('Das Zeltlager geht vom 2. bis 5. Juli. Kosten 62 € je Kind.', ['Elternabend', 'Zeltlager']),
  ],
])('of two questions each is answered: %s', (question, answers, ...hits) => {
  for (const answer of answers) expect(answerTo(question, ...hits)).toMatch(answer);
});

test('what is asked further is not answered by what it is about alone', () => {
  const letter = hit('The fitters come on 9 May. The boiler is old. The power is off until noon.', ['Boiler']);
  expect(answerTo('when do the fitters come for the boiler and is there a sauna?', letter)).toBe(
    'The fitters come on 9 May. [a.md]',
  );
});

test('what goes on from another question is answered by what speaks of its own word', () => {
  const notice = hit("The tenant may end the lease with three months' notice.", ['Notice']);
  const animals = hit("Small ones are allowed. Dogs need the landlord's consent.", ['Animals']);
  const asked = { question: 'and what about animals?', resolved: 'animals animals notice lease tenant' };
  expect(extractAnswer(asked, [notice, animals]).answer).toMatch(/allowed|consent/u);
  // "And how long?" has no content words.
  const long = { question: 'and how long?', resolved: 'and how long? and how long? notice lease tenant' };
  expect(extractAnswer(long, [notice, animals]).answer).toMatch(/three months' notice/u);
});
