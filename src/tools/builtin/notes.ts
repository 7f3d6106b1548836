import { basename } from 'node:path';
import { z } from 'zod';
import { lemma } from '../../answers/lemma.ts';
import { loadExamples } from '../../base/examples.ts';
import { HIDDEN } from '../../base/redact.ts';
import { entriesOf, type JournalEntry, withoutEntry } from '../../rag/journal.ts';
import { storedPath } from '../../rag/places.ts';
import type { Projects } from '../../rag/projects.ts';
import { STOP_WORDS } from '../../words/stop-words.ts';
import { fileThing } from '../gate/origins.ts';
import { defineTool, type Tool } from '../tool.ts';
import type { Author, KeptStates } from '../undo/kept-states.ts';
import type { ProjectFiles } from './project-files.ts';

/** When an entry is written; its heading is that time in the owner's zone. */
export interface Written {
  readonly at: Date;
  readonly timeZone: string;
}

/** The journals as the note tools need them. */
export interface Journal {
  /** Append one entry; resolves when it is on disk. @returns the file's name for people. */
  append(project: string, text: string, written: Written, by: Author): Promise<string>;
  /** The file as the gate knows it. */
  thing(project: string): string;
  /** All entries, oldest first. */
  entries(project: string): Promise<readonly JournalEntry[]>;
  /** Take out the one entry that `choose` picks by its place among all; -1 leaves them as they are. */
  remove?(project: string, choose: (entries: readonly JournalEntry[]) => number, by: Author): Promise<void>;
}

const examplesOf = loadExamples(import.meta.dirname, 'notes');
const MAX_NOTE_CHARS = 100_000;
/** The text came without what looked like a password; the owner must not think that it is kept. */
const WITHOUT = ', without what looks like a password: none is kept.';
/** Entries that `list_notes` returns; older ones are found with query_rag. */
const LISTED = 50;
/** Entries that have some words of a note that does not exist: the owner may have meant one. */
const NEAREST = 3;

/** `write_note`, `list_notes` and `delete_note`: the project's journal, which is the owner's own. */
export function createNoteTools(journal: Journal): Tool[] {
  return [
    defineTool({
      name: 'write_note',
      positional: ['text'],
      aliases: { text: ['note', 'content', 'body', 'message', 'description'] },
      description: 'Add an entry to the journal.',
      input: z.object({ text: z.string().trim().min(1).max(MAX_NOTE_CHARS) }),
      output: z.string(),
      policy: { effect: 'local', change: 'append' },
      provenance: { writesTo: (_input, { turn }) => journal.thing(turn.project), readsFrom: [] },
      durability: { trace: 'version', writeAhead: true },
      presentation: {
        examples: examplesOf('write_note'),
        unremarkable: (noted) => !noted.endsWith(WITHOUT),
        told: (noted) => ({ code: noted.endsWith(WITHOUT) ? 'noted_without_secret' : 'noted', values: {} }),
      },
      timeoutMs: 10_000,
      execute: async ({ text }, { turn, now, timeZone, idempotencyKey }) => {
        const by = { turnId: turn.id, idempotencyKey };
        const file = await journal.append(turn.project, text, { at: now(), timeZone }, by);
        return `Noted in ${file}${text.includes(HIDDEN) ? WITHOUT : '.'}`;
      },
    }),
    listTool(journal),
    ...(journal.remove ? [deleteTool(journal, journal.remove)] : []),
  ];
}

const day = z.iso.date().optional();

function listTool(journal: Journal): Tool {
  return defineTool({
    name: 'list_notes',
    description: `Journal entries by words or days (2026-12-24).`,
    input: z.object({ query: z.string().trim().max(1000).optional(), from: day, to: day }),
    output: z.array(z.object({ at: z.string(), text: z.string() })),
    policy: { effect: 'none' },
    provenance: { readsFrom: (_input, { turn }) => [journal.thing(turn.project)] },
    presentation: { examples: examplesOf('list_notes') },
    timeoutMs: 10_000,
    execute: async ({ query = '', from = '', to = '9999' }, { turn }) =>
      (await journal.entries(turn.project))
        .filter(({ at, text }) => at.slice(0, 10) >= from && at.slice(0, 10) <= to && hasWords(text, query))
        .slice(-LISTED),
  });
}

/** Deletes one note: several that fit are given back instead, to choose from. */
function deleteTool(journal: Journal, remove: NonNullable<Journal['remove']>): Tool {
  return defineTool({
    name: 'delete_note',
    positional: ['about'],
    aliases: { about: ['text', 'note', 'query'] },
    description: 'Delete the entry with these words ("last": the newest); several are listed instead.',
    input: z.object({ about: z.string().trim().min(1).max(1000) }),
    output: z.object({
      deleted: z.string().nullable(),
      matches: z.array(z.object({ at: z.string(), text: z.string() })),
    }),
    policy: { effect: 'local', change: 'delete' },
    provenance: {
      writesTo: (_input, { turn }) => journal.thing(turn.project),
      readsFrom: (_input, { turn }) => [journal.thing(turn.project)],
    },
    durability: { trace: 'version', writeAhead: true, versioned: true },
    presentation: {
      examples: examplesOf('delete_note'),
      told: ({ deleted, matches }) => {
        const kept = matches.length > 1 ? 'several_notes' : 'no_such_note';
        return { code: deleted === null ? kept : 'deleted', values: {} };
      },
    },
    timeoutMs: 10_000,
    execute: async ({ about }, { turn, idempotencyKey }) => {
      let matches: readonly JournalEntry[] = [];
      let deleted: string | null = null;
      const choose = (entries: readonly JournalEntry[]) => {
        matches = about === 'last' ? entries.slice(-1) : bestOf(entries, about);
        const [only, ...others] = matches;
        deleted = only && others.length === 0 ? only.text : null;
        if (!only) matches = nearestOf(entries, about);
        return only && deleted !== null ? entries.indexOf(only) : -1;
      };
      await remove(turn.project, choose, { turnId: turn.id, idempotencyKey });
      return { deleted, matches: matches.slice(-LISTED) };
    },
  });
}

/** The entry that is just these words, else those that have all of them. */
function bestOf(entries: readonly JournalEntry[], about: string): JournalEntry[] {
  const exact = entries.filter(({ text }) => text.toLowerCase() === about.toLowerCase());
  return exact.length > 0 ? exact : entries.filter(({ text }) => hasWords(text, about));
}

/** Entries with the most of these words that say something, the newest of them. */
function nearestOf(entries: readonly JournalEntry[], about: string): JournalEntry[] {
  const words = wordsOf(about).filter((word) => word.length >= 3 && !STOP_WORDS.en.has(word));
  const fits = entries.map(({ text }) => words.filter((word) => hasWords(text, word)).length);
  const best = Math.max(1, ...fits);
  return entries.filter((_entry, at) => fits[at] === best).slice(-NEAREST);
}

/** Whether a text has all words of a query, at the beginning of its own or in another form: "ran" for "running". */
function hasWords(text: string, query: string): boolean {
  const own = wordsOf(text);
  return wordsOf(query).every((word) => own.some((each) => each.startsWith(word) || lemma(each) === lemma(word)));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The journals of the projects. Files are named as they are on every machine: `projects/home/home.md`. */
export function projectJournal(
  projects: Projects,
  { files, states }: { readonly files: Pick<ProjectFiles, 'edit'>; readonly states: Pick<KeptStates, 'keep'> },
): Journal {
  const nameOf = (path: string) => storedPath(projects.places, path);
  return {
    append: async (project, text, written, by) => {
      const thing = nameOf(projects.journal(project));
      const keep = (after: string) => states.keep({ project, kind: 'note', thing, before: undefined, after }, by);
      // As the file tools know it.
      return basename(await projects.appendJournal(project, text, written, keep));
    },
    thing: (project) => fileThing(projects.journal(project)),
    entries: async (project) => projects.journalEntries(project),
    remove: async (project, choose, by) => {
      const change = (before = '') => {
        const index = choose(entriesOf(before));
        return index < 0 ? before : withoutEntry(before, index);
      };
      if (projects.journalEntries(project).length > 0)
        await files.edit(project, basename(projects.journal(project)), change, by);
    },
  };
}
