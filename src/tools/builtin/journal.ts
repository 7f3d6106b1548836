import { relative } from 'node:path';
import type { Projects } from '../../rag/projects.ts';
import type { Journal } from './notes.ts';

/** The journals of the projects as the note tools need them; files are named relative to the user's folder. */
export function projectJournal(projects: Projects, homeDir: string): Journal {
  return {
    append: async (project, text, at) => relative(homeDir, projects.appendJournal(project, text, at)),
    entries: async (project) => projects.journalEntries(project),
  };
}
