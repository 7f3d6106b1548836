import { z } from 'zod';
import { storedPath } from '../../rag/places.ts';
import type { Projects } from '../../rag/projects.ts';
import { defineTool, type Tool } from '../tool.ts';

/** When an entry is written; its heading is that time in the owner's zone. */
export interface Written {
  readonly at: Date;
  readonly timeZone: string;
}

/** The journals as the note tools need them. */
export interface Journal {
  /** Append one entry; resolves when it is on disk. @returns the file's name for people. */
  append(project: string, text: string, written: Written): Promise<string>;
  /** All entries, oldest first. */
  entries(project: string): Promise<readonly { readonly at: string; readonly text: string }[]>;
}

const MAX_NOTE_CHARS = 100_000;
/** Entries that `list_notes` returns; older ones are found with query_rag. */
const LISTED = 50;

/** `write_note` and `list_notes`: the project's journal, which is the owner's own. */
export function createNoteTools(journal: Journal): Tool[] {
  return [
    defineTool({
      name: 'write_note',
      positional: ['text'],
      aliases: { text: ['note', 'content', 'body', 'message', 'description'] },
      description:
        "Append one entry to the project's journal. Not for files: use write_file. Not for reminders: use schedule.",
      input: z.object({ text: z.string().trim().min(1).max(MAX_NOTE_CHARS) }),
      output: z.string(),
      effect: 'local',
      change: 'append',
      keeps: (_input, { turn }) => `journal:${turn.project}`,
      reads: 'public',
      returns: 'trusted',
      timeoutMs: 10_000,
      execute: async ({ text }, { turn, now, timeZone }) =>
        `Noted in ${await journal.append(turn.project, text, { at: now(), timeZone })}.`,
    }),
    defineTool({
      name: 'list_notes',
      description: [
        `List the newest ${LISTED} entries of the project's journal, oldest first.`,
        'To search documents use query_rag.',
      ].join(' '),
      input: z.object({}),
      output: z.array(z.object({ at: z.string(), text: z.string() })),
      recalls: (_input, { turn }) => `journal:${turn.project}`,
      effect: 'none',
      reads: 'private',
      returns: 'trusted',
      timeoutMs: 10_000,
      execute: async (_input, { turn }) => (await journal.entries(turn.project)).slice(-LISTED),
    }),
  ];
}

/** The journals of the projects. Files are named as they are on every machine: `projects/home/home.md`. */
export function projectJournal(projects: Projects): Journal {
  return {
    append: async (project, text, written) =>
      storedPath(projects.places, await projects.appendJournal(project, text, written)),
    entries: async (project) => projects.journalEntries(project),
  };
}
