import { expect, test } from 'vitest';
import { clockChanges } from './clock-changes.ts';

test.each([
  ['Europe/London', '2027-03-28T01:00:00.000Z 1', '2027-10-31T01:00:00.000Z -1'],
  ['America/New_York', '2027-03-14T07:00:00.000Z 1', '2027-11-07T06:00:00.000Z -1'],
  ['Australia/Lord_Howe', '2027-04-03T15:00:00.000Z -0.5', '2027-10-02T15:30:00.000Z 0.5'],
  ['UTC'],
])('the next clock changes of %s', (timeZone, ...expected) =>
  expect(
    clockChanges(timeZone, new Date('2026-11-23T10:00:30Z')).map(({ at, hours }) => `${at.toISOString()} ${hours}`),
  ).toEqual(expected),
);
