import { expect, test } from 'vitest';
import { rowsOf } from '../../testing/rows.ts';
import { refersBack, resolveQuery } from './follow-up.ts';

/** An earlier question, and the one asked now. */
type Pair = readonly [before: string, question: string];

const REFERRING: readonly Pair[] = rowsOf<Pair>(import.meta.dirname, 'referring');

const STANDING: readonly Pair[] = [
  ['when did I change the tyres', 'how much is my deposit and who holds it?'],
  ['tell me about the boiler', 'how deep is the north harbour basin'],
  ['tell me about the boiler', 'who is Ingrid?'],
  ['tell me about the boiler', 'where is the key?'],
  ['tell me about the boiler', 'where is the spare key and who has it?'],
  ['tell me about the boiler', 'who is my landlord and what is his number?'],
  ['tell me about the boiler', 'what is photosynthesis'],
  ['tell me about the boiler', 'is there parking at the flat?'],
  ['tell me about the boiler', 'is there a lift in the house'],
  ['tell me about the boiler', 'what time is it?'],
  ['tell me about the boiler', 'is it allowed to keep a dog in the flat?'],
  ['tell me about the boiler', 'how long does it take to renew a passport?'],
  ['tell me about the boiler', 'what happens if the heating fails, and who repairs it?'],
  ['tell me about the boiler', 'which insurance covers the bike when it is stolen'],
  ['tell me about the boiler', 'when does the warranty of the washing machine end and what does it cover?'],
  ['tell me about the boiler', 'does the contract say that I can sublet?'],
  ['tell me about the boiler', 'which key opens the door that leads to the cellar'],
  ['tell me about the boiler', 'who are my neighbours and when do they come home?'],
  ['tell me about the boiler', 'which company changed its name last year'],
  ['tell me about the boiler', 'does Anna have her own key?'],
  ['tell me about the boiler', 'wifi password'],
  ['tell me about the boiler', 'passport number'],
  ['tell me about the boiler', 'one of the keys is missing, where is the form for that?'],
  ['tell me about the boiler', 'how much is the rent this year'],
  ['tell me about the boiler', 'what do these documents say about rent'],
  ['tell me about the boiler', 'can I paint the walls and who pays for it?'],
  ['tell me about the boiler', 'where do I put the bins and when are they emptied'],
  ['tell me about the boiler', 'does the cat need a vaccine, and how often does she get it'],
  ['tell me about the boiler', 'how do I descale the coffee machine'],
  ['tell me about the boiler', 'what is the notice period for the flat'],
  ['tell me about the boiler', 'and what does the ferry to Nesodden cost?'],
  ['tell me about the boiler', 'and where is the spare key?'],
  ['tell me about the boiler', 'which of the bikes is the newer one'],
  ['tell me about the boiler', 'what should I do at the same time as the oil change'],
  ['tell me about the boiler', 'who wrote Faust'],
  ['tell me about the boiler', 'how do I get to the cabin and who lives there?'],
  ['tell me about the boiler', 'when does the dentist open'],
  ['tell me about the boiler', 'how cold is it in Oslo in March'],
  ['tell me about the boiler', 'do tenants pay for repairs and who orders them'],
  ['tell me about the boiler', 'who else has a key to the flat'],
  ['tell me about the boiler', 'how often is the filter changed and where do I buy it'],
  ['tell me about the boiler', 'if the landlord sells the flat, can he end the lease?'],
  ['erzähl mir von der Heizung', 'wie hoch ist meine Kaution und wer verwahrt sie?'],
  ['erzähl mir von der Heizung', 'wann ist die Steuer fällig und wo zahle ich sie?'],
  ['erzähl mir von der Heizung', 'wo ist der Schlüssel?'],
  ['erzähl mir von der Heizung', 'wer ist Ingrid?'],
  ['erzähl mir von der Heizung', 'gibt es einen Keller?'],
  ['erzähl mir von der Heizung', 'wie spät ist es?'],
  ['erzähl mir von der Heizung', 'ist es erlaubt, einen Hund zu halten?'],
  ['erzähl mir von der Heizung', 'wie lange dauert es, einen Pass zu verlängern'],
  ['erzähl mir von der Heizung', 'ist das Fahrrad versichert?'],
  ['erzähl mir von der Heizung', 'was kostet die Fähre nach Nesodden'],
  ['erzähl mir von der Heizung', 'wo ist der Schlüssel und wer hat ihn?'],
  ['erzähl mir von der Heizung', 'wer ist mein Vermieter und wie ist seine Nummer?'],
  [
    'erzähl mir von der Heizung',
    'welche Versicherung zahlt, wenn das Rad gestohlen wird und ich es nicht abgeschlossen habe',
  ],
  ['erzähl mir von der Heizung', 'was steht im Vertrag über Haustiere'],
  ['erzähl mir von der Heizung', 'darf ich die Wände streichen und wer bezahlt das?'],
  ['erzähl mir von der Heizung', 'welcher Schlüssel passt zu der Tür, die in den Keller führt'],
  ['erzähl mir von der Heizung', 'wie viele Zimmer hat die Wohnung'],
  ['erzähl mir von der Heizung', 'wie hoch ist die Miete dieses Jahr'],
  ['erzähl mir von der Heizung', 'wann kommt der Zahnarzt aus dem Urlaub'],
  ['erzähl mir von der Heizung', 'WLAN Passwort'],
  ['erzähl mir von der Heizung', 'was passiert, wenn die Pumpe ausfällt, und wer repariert sie?'],
  ['erzähl mir von der Heizung', 'können Sie mir sagen, wo der Vertrag liegt?'],
  ['erzähl mir von der Heizung', 'hat Anna ihren eigenen Schlüssel?'],
  ['erzähl mir von der Heizung', 'und wo ist der Ersatzschlüssel?'],
  ['erzähl mir von der Heizung', 'wie oft wird der Filter gewechselt und wo kaufe ich ihn'],
  ['erzähl mir von der Heizung', 'was frisst die Katze und wann wird sie gefüttert'],
];

test('the tables are large enough, in both languages', () => {
  expect(Math.min(REFERRING.length, STANDING.length)).toBeGreaterThanOrEqual(60);
});

test.each(REFERRING)('after "%s", "%s" refers to it', (before, question) => {
  expect(refersBack(question)).toBe(true);
  expect(resolveQuery(question, [before])).not.toBe(question);
});

test.each(STANDING)('after "%s", "%s" stands by itself', (before, question) => {
  expect(resolveQuery(question, [before])).toBe(question);
});

test('a chain of follow-ups is about what began it', () => {
  const history = ['tell me about the harbour museum', 'when was it founded in the city', 'thanks'];
  expect(resolveQuery('and who runs it?', history)).toMatch(/harbour museum$/u);
});

test('the first question refers to nothing', () => {
  expect(resolveQuery('why?', [])).toBe('why?');
  expect(resolveQuery('', ['where is the key to the shed'])).toBe('');
});
