import { describe, expect, test } from 'vitest';
import { outcome, told } from '../../../testing/built-in-outcome.ts';

const HOLIDAYS = '(Monday to Friday, holidays not left out)';
const FEIERTAGE = '(Montag bis Freitag, Feiertage nicht abgezogen)';

describe('between two days', () => {
  test.each([
    [
      'how many days from 1 March to 24 December?',
      'From Monday 1 March 2027 to Friday 24 December 2027 it is 298 days.',
    ],
    [
      'how many days between 1 and 18 December 2026?',
      'From Tuesday 1 December 2026 to Friday 18 December 2026 it is 17 days.',
    ],
    [
      'how many days between 3 March and 10 May 2027?',
      'From Wednesday 3 March 2027 to Monday 10 May 2027 it is 68 days.',
    ],
    [
      'how many days between 3 March 2026 and 10 May 2027?',
      'From Tuesday 3 March 2026 to Monday 10 May 2027 it is 433 days.',
    ],
    [
      'how many days between 3 March and 10 May 2028?',
      'From Friday 3 March 2028 to Wednesday 10 May 2028 it is 68 days.',
    ],
    [
      'how many days between march 3rd and may 10th 2028?',
      'From Friday 3 March 2028 to Wednesday 10 May 2028 it is 68 days.',
    ],
    [
      'how many days between the 3rd of march and the 10th of may 2028?',
      'From Friday 3 March 2028 to Wednesday 10 May 2028 it is 68 days.',
    ],
    ['how many days between 5 and 10 may 2028?', 'From Friday 5 May 2028 to Wednesday 10 May 2028 it is 5 days.'],
    [
      'how many days from 24 december to 3 january 2028?',
      'From Friday 24 December 2027 to Monday 3 January 2028 it is 10 days.',
    ],
    [
      'how many days between 5 weeks ago and 10 may 2028?',
      'From Sunday 18 October 2026 to Wednesday 10 May 2028 it is 570 days.',
    ],
    [
      'how many days between christmas and 10 may 2028?',
      'From Friday 25 December 2026 to Wednesday 10 May 2028 it is 502 days.',
    ],
    [
      'wie viele Tage sind es vom 3.3. bis zum 10.5.2028?',
      'Von Freitag, 3. März 2028 bis Mittwoch, 10. Mai 2028 sind es 68 Tage.',
    ],
    [
      'wie viele Tage sind es zwischen dem 3. und dem 10. Mai 2028?',
      'Von Mittwoch, 3. Mai 2028 bis Mittwoch, 10. Mai 2028 sind es 7 Tage.',
    ],
    [
      'how many months from 1 may 1066 to 1 may 3000?',
      'From Tuesday 1 May 1066 to Thursday 1 May 3000 it is 23208 months.',
    ],
    [
      'how many months from 31 january 2027 to 28 february 2027?',
      'From Sunday 31 January 2027 to Sunday 28 February 2027 it is 1 month.',
    ],
    [
      'how many months from 31 january 2027 to 27 february 2027?',
      'From Sunday 31 January 2027 to Saturday 27 February 2027 it is 27 days.',
    ],
    [
      'how many years from 2 may 2020 to 1 may 2027?',
      'From Saturday 2 May 2020 to Saturday 1 May 2027 it is 6 years and 364 days.',
    ],
    ['how many days from 10:00 to tomorrow?', 'From Sunday 22 November 2026 to Monday 23 November 2026 it is 1 day.'],
    [
      'how many days from december 3 to 17?',
      'From Thursday 3 December 2026 to Thursday 17 December 2026 it is 14 days.',
    ],
    [
      'how many days from 24 December to 3 January?',
      'From Thursday 24 December 2026 to Sunday 3 January 2027 it is 10 days.',
    ],
    [
      'how many weeks between 1 March and 5 May?',
      'From Monday 1 March 2027 to Wednesday 5 May 2027 it is 9 weeks and 2 days.',
    ],
    [
      'how many months from 1 March to 2 May?',
      'From Monday 1 March 2027 to Sunday 2 May 2027 it is 2 months and 1 day.',
    ],
    [
      'how many years from 3 March 2020 to 10 May 2027?',
      'From Tuesday 3 March 2020 to Monday 10 May 2027 it is 7 years and 68 days.',
    ],
    [
      'wie viele Tage sind es vom 1. bis 18. Dezember 2026?',
      'Von Dienstag, 1. Dezember 2026 bis Freitag, 18. Dezember 2026 sind es 17 Tage.',
    ],
    [
      'how many working days from monday to friday?',
      `From Monday 23 November 2026 to Friday 27 November 2026, both counted, it is 5 working days ${HOLIDAYS}.`,
    ],
    [
      'how many working days from 23 November 2026 to 23 November 2026?',
      `From Monday 23 November 2026 to Monday 23 November 2026, both counted, it is 1 working day ${HOLIDAYS}.`,
    ],
    [
      'how many working days from 24 december 2026 to 1 december 2026?',
      `From Thursday 24 December 2026 to Tuesday 1 December 2026, both counted, it is 17 working days ${HOLIDAYS}.`,
    ],
    [
      'wie viele Arbeitstage sind zwischen dem 1. und dem 18. Dezember 2026?',
      [
        'Von Dienstag, 1. Dezember 2026 bis Freitag, 18. Dezember 2026, beide mitgezählt, sind es',
        `14 Arbeitstage ${FEIERTAGE}.`,
      ].join(' '),
    ],
  ])('%s', (text, said) => expect(outcome(text)).toBe(said));

  test.each([
    ['how many hours between 9:30 and 17:00?', '7 hours and 30 minutes.'],
    ['how long is it from 9:00 to 10:00?', '1 hour.'],
    ['wie lange ist es von 9:00 bis 10:01?', '1 Stunde und 1 Minute.'],
    ['wie lange ist es von 9:00 bis 11:30?', '2 Stunden und 30 Minuten.'],
  ])('between two times: %s', (text, said) => expect(outcome(text)).toBe(said));

  test('numbers without a month are no days', () => {
    expect(outcome('how many days from 1 to 5?')).toMatchObject([['query_rag', {}]]);
  });
});

test.each([
  ['how many days are left this year?', 'It is 39 days until Thursday 31 December 2026.'],
  ['how many days are left this month?', 'It is 8 days until Monday 30 November 2026.'],
  ['how many days are left in this week?', 'That is today.'],
  ['how many weeks are left this year?', 'It is 5 weeks and 4 days until Thursday 31 December 2026.'],
  ['wie viele Tage hat das Jahr noch?', 'Es sind noch 39 Tage bis Donnerstag, 31. Dezember 2026.'],
  ['wie viele Tage sind noch in diesem Monat?', 'Es sind noch 8 Tage bis Montag, 30. November 2026.'],
  ['wie viele Tage bleiben diese Woche noch?', 'Das ist heute.'],
  ['how many days until tomorrow?', 'It is 1 day until Monday 23 November 2026.'],
  ['how many days until today?', 'That is today.'],
  ['how many months until christmas?', 'It is 1 month and 3 days until Friday 25 December 2026.'],
  ['wie viele Tage sind es bis zum 24.12.?', 'Es sind noch 32 Tage bis Donnerstag, 24. Dezember 2026.'],
  ['how long until tuesday at 9?', 'It is 2 days until Tuesday 24 November 2026.'],
  ['how long until tomorrow at 9?', 'It is 17 hours until tomorrow at 9.'],
  ['how long until 17:01?', 'It is 1 hour and 1 minute until 17:01.'],
  ['how many hours until 24 December?', 'It is 752 hours until 24 December.'],
  ['wie lange noch bis 18 Uhr?', 'Es sind noch 2 Stunden bis heute um 18:00 Uhr.'],
])('until then: %s', (text, said) => expect(outcome(text)).toBe(said));

describe('until an event of the documents', () => {
  const TEXT = 'how many days until the concert?';
  const answering = (answer: string) => ({ answer, confidence: 1, passages: [{ text: answer, citation: '[a.md]' }] });

  test('when it is is looked up', () => {
    expect(outcome(TEXT)).toEqual([['query_rag', { query: 'when is the concert' }]]);
  });

  test.each([
    ['It is on 3 December 2026 at 8pm.', 'It is 11 days until Thursday 3 December 2026:\n'],
    ['It is on December 3rd.', 'It is 11 days until Thursday 3 December 2026:\n'],
    ['It was on 3 November 2026.', ''],
    ['It lasts from 3 December to 5 December.', ''],
    ['Nobody knows.', ''],
  ])('%s', (answer, lead) => {
    expect(told(TEXT, answering(answer))).toBe(`${lead}${answer}\n\nSources: [a.md]`);
  });
});

test.each([
  ['how long is it since 1 May?', 'It is 205 days since Friday 1 May 2026.'],
  ['how many days since tuesday?', 'It is 5 days since Tuesday 17 November 2026.'],
  ['wie lange ist Freitag her?', 'Seit Freitag, 20. November 2026 sind es 2 Tage.'],
  ['how many days since 22 November?', 'It is 0 days since Sunday 22 November 2026.'],
  ['how many days since 1 December?', 'It is 356 days since Monday 1 December 2025.'],
  ['how long since 22 November 2024?', 'It is 730 days since Friday 22 November 2024.'],
  ['how long since 21 November 2024?', 'It is 2 years and 1 day since Thursday 21 November 2024.'],
  ['how many days since 3 May 2020?', 'It is 2394 days since Sunday 3 May 2020.'],
  ['wie lange ist der 1. Mai her?', 'Seit Freitag, 1. Mai 2026 sind es 205 Tage.'],
])('since then: %s', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ['when is the next leap year?', 'The next leap year is 2028.'],
  ['wann ist das nächste Schaltjahr?', 'Das nächste Schaltjahr ist 2028.'],
  ['is 2028 a leap year?', '2028 is a leap year.'],
  ['was 1900 a leap year?', '1900 is not a leap year.'],
  ['is this year a leap year?', '2026 is not a leap year.'],
  ['ist 2028 ein Schaltjahr?', '2028 ist ein Schaltjahr.'],
  ['ist dieses Jahr ein Schaltjahr?', '2026 ist kein Schaltjahr.'],
  ['how many days does this year have?', 'There are 365 days in 2026.'],
  ['how many days are in 2028?', 'There are 366 days in 2028.'],
  ['wie viele Tage hat dieses Jahr?', '2026 hat 365 Tage.'],
  ['wie viele Tage hat das Jahr?', '2026 hat 365 Tage.'],
  ['wie viele Tage hat 2028?', '2028 hat 366 Tage.'],
  ['how many days are in february?', 'There are 28 days in February 2026.'],
  ['how many days are in february 2028?', 'There are 29 days in February 2028.'],
  ['wie viele Tage hat der Februar?', 'Februar 2026 hat 28 Tage.'],
  ['how many working days are in december?', `December 2026: 23 working days ${HOLIDAYS}.`],
  ['how many working days are in february 2028?', `February 2028: 21 working days ${HOLIDAYS}.`],
  ['how many working days are there in may 2027?', `May 2027: 21 working days ${HOLIDAYS}.`],
  ['wie viele Arbeitstage hat der Februar?', `Februar 2026: 20 Arbeitstage ${FEIERTAGE}.`],
  ['how many weeks are there in 2027?', '2027 has 52 weeks (ISO 8601).'],
  ['how many weeks are there in this year?', '2026 has 53 weeks (ISO 8601).'],
  ['wie viele Wochen hat das Jahr?', '2026 hat 53 Kalenderwochen.'],
  ['what week is 25 December in?', 'Friday 25 December 2026 is in week 52 (ISO 8601).'],
  ['which week is the 24th of december?', 'Thursday 24 December 2026 is in week 52 (ISO 8601).'],
  ['what week is on monday?', 'Monday 23 November 2026 is in week 48 (ISO 8601).'],
  ['welche Kalenderwoche hat der 24.12.?', 'Donnerstag, 24. Dezember 2026 liegt in Kalenderwoche 52.'],
])('the calendar: %s', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ['what day is 3 weeks from today?', 'Sunday 13 December 2026'],
  ['what day is a fortnight after 1 March?', 'Monday 15 March 2027'],
  ['what day is 2 days prior to christmas?', 'Wednesday 23 December 2026'],
  ['what day is a year before today?', 'Saturday 22 November 2025'],
  ['what day is two months after 31 December?', 'Sunday 28 February 2027'],
  ['what day is 10 working days before 1 March?', 'Monday 15 February 2027'],
  ['what day is 5 working days after 20 November 2026?', 'Friday 27 November 2026'],
  ['what day is the 24th?', 'Tuesday 24 November 2026'],
  ['what day is 24th?', 'Tuesday 24 November 2026'],
  ['what day is 2 weeks?', 'Sunday 6 December 2026'],
  ['what day was 3 days ago?', 'Thursday 19 November 2026'],
  ['what day is one week from then?', 'Sunday 29 November 2026'],
  ['what day is 1000 working days after today?', 'Friday 20 September 2030'],
  ['what day is 100000 days before today?', 'Tuesday 6 February 1753'],
  ['what is 1500 days from today?', 'Tuesday 31 December 2030'],
  ['10000 days after 12 May 1990', 'Wednesday 27 September 2017'],
  ['when is the third Thursday in January 2027?', 'Thursday 21 January 2027'],
])('%s', (text, day) => expect(outcome(text)).toBe(`That is ${day}.`));

test.each([
  ['10 Tage vor Weihnachten', 'Dienstag, 15. Dezember 2026'],
  ['welcher Tag ist der 3.?', 'Donnerstag, 3. Dezember 2026'],
  ['welcher Tag ist einen Monat nach dem 31.1.2027?', 'Sonntag, 28. Februar 2027'],
  ['welcher Tag ist eine Woche nach heute?', 'Sonntag, 29. November 2026'],
  ['welcher Tag ist 3 Wochen nach heute?', 'Sonntag, 13. Dezember 2026'],
  ['welcher Tag ist 5 Arbeitstage nach dem 20.11.2026?', 'Freitag, 27. November 2026'],
  ['was ist 1 Monat ab heute?', 'Dienstag, 22. Dezember 2026'],
  ['welcher Wochentag ist der 24.12.?', 'Donnerstag, 24. Dezember 2026'],
])('%s', (text, day) => expect(outcome(text)).toBe(`Das ist ${day}.`));

test.each([
  ['is 25 december a friday this year?', 'Yes, that is Friday 25 December 2026.'],
  ['is 25 december a monday?', 'No, that is Friday 25 December 2026.'],
  ['is 1 may 2027 on the weekend?', 'Yes, that is Saturday 1 May 2027.'],
  ['is 26 december on the weekend?', 'Yes, that is Saturday 26 December 2026.'],
  ['is 25 december on the weekend?', 'No, that is Friday 25 December 2026.'],
  ['fällt der 27.12. auf ein Wochenende?', 'Ja, das ist Sonntag, 27. Dezember 2026.'],
  ['ist Weihnachten ein Montag?', 'Nein, das ist Freitag, 25. Dezember 2026.'],
])('%s', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ['what day is the last day of school?'],
  ['what day is blue days after 1 March?'],
  ['what day is one week after the concert?'],
  ['what day is blorb?'],
  ['what day is the third sunday of advent?'],
  ['what day is 9999999999999 days after today?'],
  ['what day is 100000 years before today?'],
  ['what is 9000 years from today?'],
  ['what day was it 3000 years ago?'],
  ['how many days are in the box?'],
])('%s: more than the calendar says is for the documents', (text) => {
  expect(outcome(text)).toMatchObject([['query_rag', {}]]);
});
