import { expect, test } from 'vitest';
import { mainClause } from './main-clause.ts';

test.each([
  ['Anna in Bonn wohnt', 'Anna wohnt in Bonn'],
  ['Anna Müller in Bonn wohnt', 'Anna Müller wohnt in Bonn'],
  ['Omas Geburtstag am 3. Mai ist', 'Omas Geburtstag ist am 3. Mai'],
  ['sie morgen  kommt! ', 'sie kommt morgen'],
  ['wir Urlaub haben', 'wir haben Urlaub'],
  ['die Müllabfuhr am Montag kommt...', 'die Müllabfuhr kommt am Montag'],
  ['das rote Auto kaputt ist', 'das rote Auto ist kaputt'],
  ['unser WLAN-Passwort Rose ist', 'unser WLAN-Passwort ist Rose'],
  ['der Hund Bello laut bellt', 'der Hund Bello bellt laut'],
  ['der Hund Bello bellt', 'der Hund Bello bellt'],
  ['mein Nachbar Herr Brandt heißt', 'mein Nachbar heißt Herr Brandt'],
  ['der Schlüssel im Flur liegt', 'der Schlüssel liegt im Flur'],
  ['der Schlüssel vom Auto im Flur liegt', 'der Schlüssel vom Auto liegt im Flur'],
  ['der Schlüssel vom roten Auto im Flur liegt', 'der Schlüssel vom roten Auto liegt im Flur'],
  ['der Schlüssel vom alten roten Auto im Flur liegt', 'der Schlüssel vom alten roten Auto liegt im Flur'],
  ['die Tür zum Keller oft klemmt', 'die Tür zum Keller klemmt oft'],
  ['das Rad vom Nachbarn kommt', 'das Rad kommt vom Nachbarn'],
  ['das Codewort für das WLAN Rose ist', 'das Codewort für das WLAN ist Rose'],
])('"%s" as a sentence of its own: %s', (clause, sentence) => expect(mainClause(clause)).toBe(sentence));

test.each([
  ['Anna wohnt'],
  ['Anna Müller'],
  ['ich komme'],
  ['ichwas in Bonn wohnt'],
  ['heute frei ist'],
  ['heimat schön ist'],
  ['mein altes rad kaputt ist'],
  ['dein iPhone neu ist'],
  ['modern die Küche ist'],
])('"%s" stays as it is: its subject cannot be told, or is all of it', (clause) => {
  expect(mainClause(clause)).toBe(clause);
});
