import { expect, test } from 'vitest';
import { outcome } from '../../../testing/built-in-outcome.ts';

test.each([
  ['how old is someone born on 1 December 1990?', '35 years, born on Saturday 1 December 1990.'],
  ['how old is someone born on 22 November 1990?', '36 years, born on Thursday 22 November 1990.'],
  ['ich bin am 3.5.1990 geboren, wie alt bin ich?', '36 Jahre, geboren am Donnerstag, 3. Mai 1990.'],
  ['ich bin Jahrgang 1990, geboren am 3. Mai, wie alt bin ich?', '36 Jahre, geboren am Donnerstag, 3. Mai 1990.'],
  ['how old am i if i was born in 1990?', '35 or 36 years, by the birthday.'],
  ['ich bin Jahrgang 1990, wie alt bin ich?', '35 oder 36 Jahre, je nach Geburtstag.'],
  ['ich bin Jahrgang 1990, wie alt werde ich dieses Jahr?', '36 Jahre.'],
  ['how old will i be on 3 May 2030 if i was born on 3 May 1990?', '40 years on Friday 3 May 2030.'],
  ['wie alt werde ich am 3.5.2030 sein wenn ich am 4.5.1990 geboren bin?', '39 Jahre am Freitag, 3. Mai 2030.'],
  ['how old will she be in 2030 if she was born in 1990?', '40 years on Tuesday 31 December 2030.'],
  ['Emma was born on 2019-05-08. How old is she now, roughly?', '7 years, born on Wednesday 8 May 2019.'],
  ['Emma was born on 8 May 2019. How old will she be in 2030?', '11 years in 2030.'],
  ['Wie alt ist Emil jetzt so? Er ist am 19.2.2023 geboren.', '3 Jahre, geboren am Sonntag, 19. Februar 2023.'],
  ['Wie alt wird Emil nächstes Jahr? Er ist am 19.2.2023 geboren.', '4 Jahre im Jahr 2027.'],
  ['ich bin Jahrgang 1990, wie alt werde ich?', '36 Jahre.'],
  ['how old is someone born on 22 November 2026?', '0 years, born on Sunday 22 November 2026.'],
  ['how old will i be on 3 May 1990 if i was born on 3 May 1990?', '0 years on Thursday 3 May 1990.'],
  ['how old will Emma be in 2019? She was born on 8 May 2019.', '0 years in 2019.'],
  ['How old is he? He was born on 22 November 2026.', '0 years, born on Sunday 22 November 2026.'],
  ['how old is Emma; she was born on 8 May 2019?', '7 years, born on Wednesday 8 May 2019.'],
  ['wie alt ist jemand, der am 3.5.1990 geboren ist?', '36 Jahre, geboren am Donnerstag, 3. Mai 1990.'],
  ['Wie alt wird Emil dieses Jahr? Er ist am 19.2.2023 geboren.', '3 Jahre im Jahr 2026.'],
])('%s', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ['how old am i if i was born on 3 May 2030?'],
  ['how old will i be on 3 May 1980 if i was born on 3 May 1990?'],
  ['how old will i be on blue if i was born on 3 May 1990?'],
  ['Emma was born on 8 May 2019! How old will she be in 2010?'],
  ['Emma was born on 8 May 2029! How old will she be in 2030?'],
])('%s: nobody is younger than nothing', (text) => expect(outcome(text)).toMatchObject([['query_rag', {}]]));
