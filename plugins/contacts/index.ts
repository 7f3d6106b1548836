import { join, resolve } from 'node:path';
import { addToDate, type Briefing, definePlugin, defineTool, localDate, type Tool, z } from '#plugin';
import { addContact, type Contact, readContacts } from './cards.ts';

const MAX_FOUND = 20;
const Settings = z.object({ home: z.string(), folder: z.string().optional() });

export default definePlugin({
  name: 'contacts',
  version: '1.0.0',
  description: 'Knows the people of your address book: vCard files (.vcf) in contacts/.',

  hosts: [],
  effects: ['local'],
  provides: ['briefing'],
  state: { folder: '' },

  initialize(host) {
    const { home, folder } = Settings.parse(host.config);
    this.state.folder = folder === undefined ? join(home, 'contacts') : resolve(home, folder);
  },

  getAgentTools() {
    const { folder } = this.state;
    return [findContact(folder), newContact(folder), birthdays(folder)];
  },

  getServices() {
    const { folder } = this.state;
    const briefing: Briefing = async ({ now, timeZone }) => {
      const { contacts } = await readContacts(folder);
      const soon = comingBirthdays(contacts, { now, timeZone, days: 7 });
      return { title: 'Birthdays', lines: soon.map(({ name, on }) => `${on} ${name}`) };
    };
    return { briefing };
  },
});

function findContact(folder: string): Tool {
  return defineTool({
    name: 'find_contact',
    positional: ['query'],
    aliases: { query: ['name', 'person', 'who'] },
    description: "Look up a person in the user's contacts by name, mail address, phone or organisation.",
    input: z.object({ query: z.string().trim().min(1).max(200) }),
    policy: { effect: 'none' },
    timeoutMs: 10_000,
    execute: async ({ query }) => {
      const { contacts, problems } = await readContacts(folder);
      const words = query.toLowerCase().split(/\s+/u);
      const found = contacts.filter((contact) => {
        const text = Object.values(contact).flat().join('\n').toLowerCase();
        return words.every((word) => text.includes(word));
      });
      const more = found.length > MAX_FOUND ? { more: found.length - MAX_FOUND } : {};
      return { contacts: found.slice(0, MAX_FOUND), ...more, ...(problems.length > 0 && { problems }) };
    },
  });
}

function newContact(folder: string): Tool {
  const list = z.array(z.string().trim().min(1)).max(10).default([]);
  return defineTool({
    name: 'add_contact',
    positional: ['name'],
    description: "Add a person to the user's contacts.",
    input: z.object({
      name: z.string().trim().min(1).max(200),
      emails: z.array(z.email()).max(10).default([]),
      phones: list,
      addresses: list,
      organisation: z.string().max(200).optional(),
      birthday: z
        .string()
        .regex(/^(?:\d{4}-|--)\d\d-\d\d$/u, 'must be 1980-12-24, or --12-24')
        .optional(),
      notes: z.string().max(2000).optional(),
    }),
    policy: { effect: 'local', change: 'append' },
    provenance: { readsFrom: [] },
    timeoutMs: 10_000,
    execute: async (contact) => {
      await addContact(folder, contact);
      return `Added: ${contact.name}`;
    },
  });
}

function birthdays(folder: string): Tool {
  return defineTool({
    name: 'coming_birthdays',
    positional: ['days'],
    description: "List the birthdays of the user's contacts in the next days.",
    input: z.object({ days: z.number().int().min(1).max(366).default(30) }),
    policy: { effect: 'none' },
    timeoutMs: 10_000,
    execute: async ({ days }, { now, timeZone }) =>
      comingBirthdays((await readContacts(folder)).contacts, { now: now(), timeZone, days }),
  });
}

/** Those of 29 February are on 1 March in other years. */
function comingBirthdays(
  contacts: readonly Contact[],
  { now, timeZone, days }: { readonly now: Date; readonly timeZone: string; readonly days: number },
): { name: string; on: string; turns?: number }[] {
  return Array.from({ length: days }, (_, index) =>
    localDate(addToDate(now, index, { unit: 'day', timeZone }), timeZone),
  ).flatMap((on, index, all) => {
    const leapDay = on.endsWith('-03-01') && index > 0 && !all[index - 1]?.endsWith('-02-29') ? ['02-29'] : [];
    const here = [on.slice(5), ...leapDay];
    return contacts
      .filter(({ birthday }) => birthday !== undefined && here.includes(birthday.slice(-5)))
      .map(({ name, birthday = '' }) => {
        const born = Number(birthday.slice(0, 4));
        return { name, on, ...(born > 0 && { turns: Number(on.slice(0, 4)) - born }) };
      });
  });
}
