import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { preview } from '../base/text.ts';
import { commandsFor } from './command-list.ts';
import { COMMANDS } from './commands.gen.ts';
import type { CompletionSources, ValueKind } from './edit/complete.ts';
import { COMMON_FLAGS } from './flags.ts';
import type { Completion } from './prompt/state.ts';
import type { Opened } from './repl.ts';

/** Completion reads at most this many files, to stay quick. */
const MAX_FILES = 2000;
/** Completion goes no deeper than this. */
const MAX_DEPTH = 4;

/** Completions of the commands at once; projects, models, conversations, schedules and files once all is loaded. */
export function completionSources(opened: () => Opened | undefined): CompletionSources {
  const commands = commandsFor(COMMANDS, 'slash').map(({ name, summary, usage, flags = {}, aliases }) => {
    return { name, summary, usage, aliases, flags: Object.keys(flags).map((flag) => `--${flag}`) };
  });
  return {
    commands,
    flags: Object.keys(COMMON_FLAGS)
      .filter((flag) => flag !== 'home')
      .map((flag) => `--${flag}`),
    async values(kind) {
      if (kind === 'command') return commands.map(({ name, summary }) => ({ value: name, note: summary }));
      const now = opened();
      return now ? LOOK_UPS[kind](now) : [];
    },
  };
}

const LOOK_UPS: Readonly<Record<Exclude<ValueKind, 'command'>, (opened: Opened) => Promise<Completion[]>>> = {
  project: async ({ app }) => app.knowledge.projects.list().map((value) => ({ value })),
  model: async ({ app }) => (await app.models.candidates()).map(({ name, state }) => ({ value: name, note: state })),
  conversation: async ({ app }) =>
    (await app.turns.archive.list()).map(({ id, title }) => ({ value: id, note: preview(title ?? '', 60) })),
  schedule: async ({ app }) =>
    (await app.schedule.jobs.list()).map(({ id, prompt }) => ({ value: id, note: preview(prompt, 60) })),
  channel: async ({ app }) => (await app.schedule.notifier.channels()).map(({ name }) => ({ value: name })),
  file: async ({ app, session }) => filesBelow(app.knowledge.projects.folder(session.project)),
};

/** Files of a folder by their path in it; hidden ones and those whose names need quotes are left out. */
async function filesBelow(folder: string): Promise<Completion[]> {
  const found: Completion[] = [];
  const look = async (path: string, depth: number): Promise<void> => {
    const entries = await readdir(join(folder, path), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (found.length >= MAX_FILES || !/^[^\s.\p{C}][^\s\p{C}]*$/u.test(entry.name)) continue;
      const inner = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isFile()) found.push({ value: inner });
      else if (entry.isDirectory() && depth < MAX_DEPTH) await look(inner, depth + 1);
    }
  };
  await look('', 0);
  return found;
}
