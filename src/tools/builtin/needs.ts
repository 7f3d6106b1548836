import { existsSync, opendirSync } from 'node:fs';
import { join } from 'node:path';
import type { Turn } from '../../base/turn.ts';
import type { Projects } from '../../rag/projects.ts';
import type { Documents } from '../../rag/types.ts';
import type { Needs, Tool } from '../tool.ts';
import type { Change, Undo } from '../undo/undo.ts';
import type { Jobs } from './schedule.ts';

interface NeedsDeps {
  readonly projects: Pick<Projects, 'folder'>;
  readonly scheduler: Pick<Jobs, 'outlook'>;
  readonly documents: Pick<Documents, 'any'>;
  readonly kept: { readonly undo: Pick<Undo, 'changes'> };
  workspaceFiles(conversationId: string): unknown;
  services(name: string): readonly unknown[];
}

/** The tools that have nothing to work on at first, by what they need. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'journal entries': ['list_notes', 'delete_note'],
  lists: ['show_lists'],
  documents: ['list_documents', 'summarise_document'],
  'changes to take back': ['list_changes', 'undo_change'],
  agenda: ['show_agenda'],
  reminders: ['list_schedules', 'reschedule', 'rename_schedule', 'cancel_schedule'],
  files: ['read_file', 'edit_file', 'move_file', 'delete_file', 'list_directory', 'search_files'],
};

/** The same tools, with what has to be there before a model is told of them. */
export function withNeeds(tools: readonly Tool[], deps: NeedsDeps): Tool[] {
  const checks = checksOf(deps);
  const needs = new Map(
    Object.entries(NEEDED).flatMap(([what, names]) =>
      names.map((name): [string, Needs] => [
        name,
        { what: what === 'agenda' ? 'reminders' : what, any: (turn) => checks[what]?.(turn) ?? true },
      ]),
    ),
  );
  return tools.map((tool) => ({
    ...tool,
    presentation: { ...tool.presentation, needs: needs.get(tool.name) ?? tool.presentation.needs },
  }));
}

function checksOf({
  projects,
  scheduler,
  documents,
  workspaceFiles,
  services,
  kept,
}: NeedsDeps): Readonly<Record<string, Needs['any']>> {
  const journal = (project: string) => `${project}.md`;
  return {
    'journal entries': ({ project }) => existsSync(join(projects.folder(project), journal(project))),
    documents: async ({ project, material = [] }) => material.length > 0 || documents.any(project),
    // Those of other conversations can be listed and undone as well, but that is no reason to tell a model each time.
    'changes to take back': ({ project, conversationId }) => hasAny(kept.undo.changes(project), conversationId),
    lists: ({ project }) => existsSync(join(projects.folder(project), 'lists')),
    agenda: async ({ project }) =>
      services('agenda').length > 0 || (await scheduler.outlook(project)).jobs > 0 || documents.any(project),
    reminders: async ({ project }) => (await scheduler.outlook(project)).jobs > 0,
    // Whoever knows documents by their citations would write new files of these names without the tools for them.
    files: async ({ project, conversationId }: Turn) =>
      workspaceFiles(conversationId) !== undefined ||
      holdsFiles(projects.folder(project), journal(project)) ||
      documents.any(project),
  };
}

async function hasAny(changes: AsyncIterable<Change>, conversationId: string): Promise<boolean> {
  for await (const change of changes) if (change.conversationId === conversationId) return true;
  return false;
}

/** Other files than the journal, and other folders than that of the lists: those have tools of their own. */
function holdsFiles(dir: string, journal: string): boolean {
  if (!existsSync(dir)) return false;
  // Asked before each request to a model, and mostly answered by the first entry: that is no work for a thread.
  const entries = opendirSync(dir);
  try {
    for (let entry = entries.readSync(); entry; entry = entries.readSync())
      if (!entry.name.startsWith('.') && entry.name !== journal && entry.name !== 'lists') return true;
    return false;
  } finally {
    entries.closeSync();
  }
}
