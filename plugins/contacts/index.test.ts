import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startPlugin } from '../../src/testing/plugin.ts';
import contacts from './index.ts';

const CARDS = `BEGIN:VCARD
VERSION:3.0
N:Lovelace;Ada;;;
FN:Ada Lovelace
EMAIL;TYPE=work:ada@example.org
TEL;TYPE=cell:+353 1 234
ADR;TYPE=home:;;12 Birch Road;Galway;;H91;Ireland
ORG:Engines Ltd;Analysis
BDAY:1815-12-10
END:VCARD
BEGIN:VCARD
VERSION:4.0
FN:Leap Day
BDAY:--0229
END:VCARD
`.replaceAll('\n', '\r\n');

async function withCards(files: Record<string, string>, now = '2026-01-15T09:00:00Z') {
  const started = await startPlugin(contacts, { now: () => new Date(now) });
  const folder = join(started.home, 'contacts');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return { ...started, folder };
}

test('a person is found by any of their words; a broken file is named and hides nobody', async () => {
  const { call } = await withCards({ 'all.vcf': CARDS, 'broken.vcf': 'BEGIN:VCARD\nnonsense' });
  const found = await call('find_contact', { query: 'engines ADA' });
  expect(found).toEqual({
    contacts: [
      {
        ...{ name: 'Ada Lovelace', emails: ['ada@example.org'], phones: ['+353 1 234'] },
        ...{ addresses: ['12 Birch Road, Galway, H91, Ireland'], organisation: 'Engines Ltd, Analysis' },
        birthday: '1815-12-10',
      },
    ],
    problems: [expect.stringMatching(/^broken\.vcf cannot be read/u)],
  });
  expect(await call('find_contact', { query: 'nobody' })).toMatchObject({ contacts: [] });
});

test('who is added is found again, in a file that other programs read', async () => {
  const { call, folder } = await withCards({});
  const ann = { name: 'Ann; the first', emails: ['ann@example.org'], phones: ['1, 2'], birthday: '1990-01-20' };
  await call('add_contact', ann);
  expect(await call('find_contact', { query: 'ann@' })).toMatchObject({ contacts: [ann] });
  const card = readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8');
  const lines = ['VERSION:4.0', 'TEL:1\\, 2', 'BDAY;VALUE=DATE:19900120'];
  for (const line of lines) expect(card).toContain(`\r\n${line}\r\n`);
  await expect(call('add_contact', { name: 'x', emails: ['no address'] })).rejects.toThrow('emails');
});

test('birthdays come in order, those of a leap day in every year', async () => {
  const { call } = await withCards({ 'all.vcf': CARDS }, '2026-11-20T09:00:00Z');
  expect(await call('coming_birthdays', { days: 30 })).toEqual([
    { name: 'Ada Lovelace', on: '2026-12-10', turns: 211 },
  ]);
  expect(await call('coming_birthdays', { days: 120 })).toEqual([
    { name: 'Ada Lovelace', on: '2026-12-10', turns: 211 },
    { name: 'Leap Day', on: '2027-03-01' },
  ]);
});
