import { expect, test } from 'vitest';
import { outcome } from '../../../testing/built-in-outcome.ts';
import { SKILLS } from '../skills.ts';
import { REMINDER } from './small-talk.ts';

const EARLIER = [
  { by: 'person', text: 'first' },
  { by: 'assistant', text: 'One.' },
  { by: 'person', text: 'second' },
  { by: 'assistant', text: 'Two.' },
] as const;

test.each([
  ['what did I just say?', 'You said: "second"', 'Nothing yet: this conversation has just begun.'],
  ['what was my last question?', 'You said: "second"', 'Nothing yet: this conversation has just begun.'],
  ['repeat that', 'I said: "Two."', 'Nothing yet: this conversation has just begun.'],
  ['was habe ich gerade gesagt?', 'Du hast gesagt: "second"', 'Noch nichts: das Gespräch hat gerade erst begonnen.'],
  ['was war meine letzte Frage?', 'Du hast gesagt: "second"', 'Noch nichts: das Gespräch hat gerade erst begonnen.'],
  ['what did you say?', 'I said: "Two."', 'Nothing yet: this conversation has just begun.'],
  ['nochmal', 'Ich habe gesagt: "Two."', 'Noch nichts: das Gespräch hat gerade erst begonnen.'],
  ['wiederhol das', 'Ich habe gesagt: "Two."', 'Noch nichts: das Gespräch hat gerade erst begonnen.'],
])('%s', (text, said, none) => {
  expect(outcome(text, EARLIER)).toBe(said);
  expect(outcome(text)).toBe(none);
});

const HELLO = [
  'Hello. I am Wooster, running on the built-in model. What can I do for you? Say "help" for ideas.',
  'Hallo. Ich bin Wooster mit dem eingebauten Modell. Was kann ich für dich tun? „Hilfe“ zeigt, was geht.',
] as const;
const SORRY = [
  'I am sorry to hear that. I am only a small program, but I keep notes, lists and reminders for you.',
  'Das tut mir leid. Ich bin nur ein kleines Programm, kann dir aber etwas abnehmen: Notiz, Erinnerung, Liste.',
] as const;
const UNDO = [
  '`/undo` takes back an exchange and all that it changed: this one first and, said again, the one before it.',
  '`/undo` nimmt einen Wortwechsel zurück und alles, was er geändert hat: erst diesen, nochmals gesagt den davor.',
] as const;

test.each([
  ['hello', HELLO[0]],
  ['Good morning, Wooster!', HELLO[0]],
  ['hi there', HELLO[0]],
  ['moin Wooster', HELLO[1]],
  ['guten Abend', HELLO[1]],
  ['how are you?', 'All in order, thank you. What can I do for you?'],
  ['can you hear me?', 'All in order, thank you. What can I do for you?'],
  ["hallo, wie geht's?", 'Alles in Ordnung, danke. Was kann ich für dich tun?'],
  ['thanks a lot', 'You are welcome.'],
  ["that's all for now, thanks", 'You are welcome.'],
  ['alles klar, danke', 'Gern geschehen.'],
  ['vielen Dank!', 'Gern geschehen.'],
  ["I'm a bit tired today", SORRY[0]],
  ['that was a bad day', SORRY[0]],
  ['I had a rough night', SORRY[0]],
  ["mir geht's heute nicht gut", SORRY[1]],
  ['ich bin so müde', SORRY[1]],
  ['das war ein harter Tag', SORRY[1]],
  ['good night', 'Goodbye. `/quit` leaves the program.'],
  ['gute Nacht', 'Auf Wiedersehen. `/quit` beendet das Programm.'],
  ['tschüss, Wooster', 'Auf Wiedersehen. `/quit` beendet das Programm.'],
  ['oh, never mind', 'All right, I have done nothing.'],
  ['nein, danke', 'In Ordnung, ich habe nichts getan.'],
  ['egal', 'In Ordnung, ich habe nichts getan.'],
  ['ok', 'Good. What next?'],
  ['passt', 'Gut. Was noch?'],
  ['genau', 'Gut. Was noch?'],
  ['undo that', UNDO[0]],
  ['revert my last change', UNDO[0]],
  ['put it back', UNDO[0]],
  ['mach das bitte rückgängig', UNDO[1]],
  ['rückgängig machen', UNDO[1]],
])('%s', (text, said) => expect(outcome(text)).toBe(said));

test('a greeting as long as a sentence is none', () => {
  const thanks = (chars: number) => outcome(`thanks ${'x'.repeat(chars - 7)}`);
  expect(thanks(60)).toBe('You are welcome.');
  expect(thanks(61)).toMatch(/^I did not understand that\./u);
});

test.each([
  ['say hi', 'hi'],
  ['say "hello there".', 'hello there.'],
  ['sag „hallo“!', 'hallo!'],
  ['sag „hallo“', 'hallo'],
  ['say "a" and "b" now', '"a" and "b" now'],
  [`${REMINDER}call Ben at 5`, `${REMINDER}call Ben at 5`],
])('%s is said as it stands', (text, said) => expect(outcome(text)).toBe(said));

test.each(SKILLS.flatMap(({ examples }) => [...examples.en, ...examples.de]))(
  'what help shows is understood: %s',
  (text) => {
    expect(JSON.stringify(outcome(text))).not.toMatch(/did not understand|nicht verstanden/u);
  },
);
