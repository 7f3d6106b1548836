import { expect, test } from 'vitest';
import { recognizeIntent } from './recognize.ts';

const NOW = new Date('2026-11-23T09:00:00Z');

/** What is said about passages of which no sentence answers. */
function said(text: string, passage: string, confidence = 0, answer = ''): string {
  const can = (tool: string) => tool !== 'search_memory';
  const found = recognizeIntent({ text, now: NOW, timeZone: 'Europe/Berlin', can, earlier: [] });
  if (found.kind !== 'act') throw new Error('not looked up');
  const value = { answer, confidence, passages: [{ text: passage, citation: '[a.md, line 1]' }] };
  return found.actions[0]?.say({ ok: true, text: '', value, input: {} }) ?? '';
}

test.each([
  ['Was kostet ein Flug nach Lissabon?', 'Die erste Inspektion ist kostenlos.', /^Von „Flug“ steht .* nichts/u],
  ['Wann hat Jonte Geburtstag?', 'Jonte wird 2028 geimpft.', /^Von „Geburtstag“ steht .* nichts/u],
  ['wer malt am schönsten?', 'Das Treppenhaus wird gereinigt.', /^Dazu habe ich .* nichts gefunden/u],
  ['who paints best in town?', 'The stairs are cleaned weekly.', /^I found nothing about that/u],
])('a passage about something else is not shown: %s', (text, passage, answer) => {
  expect(said(text, passage)).toMatch(answer);
  expect(said(text, passage)).not.toContain(passage);
});

test.each([
  [
    'Wie hoch ist die Kaution für den Schlüssel?',
    'Für den Schlüssel ist eine Kaution zu zahlen.',
    'Da bin ich nicht sicher',
  ],
  ['how big is the deposit for the key?', 'A deposit is due for each key.', 'I am not sure'],
])('one that speaks of what was asked is: %s', (text, passage, lead) => {
  expect(said(text, passage, 0.3)).toMatch(new RegExp(`^${lead}.*\\n- ${passage}`, 'u'));
});

test('a noun that only the name of the file has is not said to stand nowhere', () => {
  const can = (tool: string) => tool !== 'search_memory';
  const text = 'Wann starten wir nach Südtirol?';
  const found = recognizeIntent({ text, now: NOW, timeZone: 'Europe/Berlin', can, earlier: [] });
  const passages = [{ text: 'Samstag um 5 Uhr los.', citation: '[suedtirol-reise.md, line 6]' }];
  const answer = found.kind === 'act' && found.actions[0]?.say({ ok: true, text: '', value: { passages }, input: {} });
  expect(answer).not.toMatch(/steht .* nichts/u);
});

test('beside the best passage none is shown that the search ranks far below it', () => {
  const can = (tool: string) => tool !== 'search_memory';
  const found = recognizeIntent({ text: 'is the shed insured?', now: NOW, timeZone: 'UTC', can, earlier: [] });
  const passages = [
    { text: 'The shed is at the back.', citation: '[a.md]', score: 0.9 },
    { text: 'The car is insured.', citation: '[b.md]', score: 0.1 },
  ];
  const value = { answer: '', confidence: 0.2, passages };
  const answer = found.kind === 'act' && found.actions[0]?.say({ ok: true, text: '', value, input: {} });
  expect(answer).toContain('The shed');
  expect(answer).not.toContain('The car');
});

test('a sum that is asked is not answered by a sentence with other figures', () => {
  const passage = 'Die Sicherheit beträgt 1.040 Euro.';
  expect(said('Die Miete von 660 Euro wird um 3 Prozent erhöht, und dann?', passage, 0.5, passage)).toMatch(
    /ausrechnen/u,
  );
  expect(said('Wofür zahle ich 1.040 Euro?', passage, 0.5, passage)).toContain(passage);
});

test('a question of few small words is answered in German', () => {
  expect(said('Was bedeutet F7 beim Backofen?', 'F7: die Tür klemmt; der Backofen ist zu.', 0.3)).toMatch(
    /^Da bin ich/u,
  );
});
