import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type ICAL from 'ical.js';
import { replaceFile } from '#plugin';

/** A person or company. */
export interface Contact {
  readonly name: string;
  readonly emails: readonly string[];
  readonly phones: readonly string[];
  readonly addresses: readonly string[];
  readonly organisation?: string | undefined;
  /** `1980-12-24`, or `--12-24` without the year. */
  readonly birthday?: string | undefined;
  readonly notes?: string | undefined;
}

const MAX_BYTES = 20_000_000;

/** All contacts of the `.vcf` files in a folder, and which files could not be read. */
export async function readContacts(folder: string): Promise<{ contacts: Contact[]; problems: string[] }> {
  const { default: ical } = await import('ical.js');
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const contacts: Contact[] = [];
  const problems: string[] = [];
  for (const name of names.filter((each) => /\.vcf$/iu.test(each)).sort()) {
    try {
      const text = await readFile(join(folder, name), 'utf8');
      if (text.length > MAX_BYTES) throw new Error('it is too large');
      contacts.push(...cardsIn(ical, text));
    } catch (error) {
      problems.push(`${name} cannot be read: ${(error as Error).message}`);
    }
  }
  return { contacts, problems };
}

/** @see RFC 6350 */
function cardsIn(ical: typeof ICAL, text: string): Contact[] {
  const roots: unknown[] = ical.parse(text);
  const lists = typeof roots[0] === 'string' ? [roots] : roots;
  return lists.map((each) => contactOf(new ical.Component(each as unknown[])));
}

function contactOf(card: ICAL.Component): Contact {
  const all = (name: string) => card.getAllProperties(name).map((property) => flat(property.getFirstValue()));
  const [n = ''] = all('n');
  const [family, given] = n.split(', ');
  const [name = [given, family].filter(Boolean).join(' ')] = all('fn');
  return {
    name: name || 'Without a name',
    emails: all('email'),
    phones: all('tel').map((phone) => phone.replace(/^tel:/u, '')),
    addresses: all('adr'),
    organisation: all('org')[0],
    birthday: birthdayOf(all('bday')[0]),
    notes: all('note')[0],
  };
}

/** A structured value, joined on one line. */
function flat(value: unknown): string {
  if (Array.isArray(value))
    return value
      .map(flat)
      .filter((part) => part !== '')
      .join(', ');
  return String(value ?? '').trim();
}

function birthdayOf(text: string | undefined): string | undefined {
  const [, year, month, day] = /^(\d{4}|--)-?(\d\d)-?(\d\d)/u.exec(text ?? '') ?? [];
  if (month === undefined) return undefined;
  return year === '--' ? `--${month}-${day}` : `${year}-${month}-${day}`;
}

/** A card of its own for a new contact. */
export async function addContact(folder: string, contact: Contact): Promise<void> {
  const [{ default: ical }, { randomUUID }] = await Promise.all([import('ical.js'), import('node:crypto')]);
  const card = new ical.Component(['vcard', [], []]);
  card.addPropertyWithValue('version', '4.0');
  const uid = randomUUID();
  card.addPropertyWithValue('uid', `urn:uuid:${uid}`);
  const lists = {
    fn: [contact.name],
    email: contact.emails,
    tel: contact.phones,
    org: [contact.organisation],
    note: [contact.notes],
  };
  for (const [name, values] of Object.entries(lists))
    for (const value of values) if (value) card.addPropertyWithValue(name, value);
  if (contact.birthday) {
    const wholeDate = !contact.birthday.startsWith('--');
    card.addProperty(new ical.Property(['bday', {}, wholeDate ? 'date' : 'text', contact.birthday], card));
  }
  for (const address of contact.addresses) card.addPropertyWithValue('adr', ['', '', address, '', '', '', ''] as never);
  await replaceFile(join(folder, `${uid}.vcf`), `${card.toString()}\r\n`);
}
