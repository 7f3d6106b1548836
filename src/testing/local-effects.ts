import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolResult } from '../tools/gate/types.ts';
import type { UndoWorld } from './undo-world.ts';

const LARGE = 'x'.repeat(1024 * 1024 + 1);

export interface LocalEffect {
  /** What is there before, besides `garden.md`. */
  readonly prepare?: (world: UndoWorld) => Promise<unknown>;
  readonly name: string;
  readonly input: (world: UndoWorld) => unknown | Promise<unknown>;
}

const aJob = (world: UndoWorld) =>
  world.scheduler.add({ when: 'every day at 8am', prompt: 'water the roses', project: 'home', untrusted: false });

/** Every local effect that a built-in tool has, and those of the memory. */
export const LOCAL_EFFECTS: Readonly<Record<string, LocalEffect>> = {
  'a note in a new journal': { name: 'write_note', input: () => ({ text: 'buy milk' }) },
  'a note among others': {
    name: 'write_note',
    input: () => ({ text: 'buy milk' }),
    prepare: async ({ folder }) =>
      writeFileSync(join(folder, 'home.md'), '# My journal\n\n## 2020-01-01 10:00\n\nOld.\n'),
  },
  'a deleted note': {
    name: 'delete_note',
    input: () => ({ about: 'Old' }),
    prepare: async ({ folder }) => writeFileSync(join(folder, 'home.md'), '## 2020-01-01 10:00\n\nOld.\n'),
  },
  'a changed list': { name: 'change_list', input: () => ({ list: 'shopping', add: ['milk'] }) },
  'a new file': { name: 'write_file', input: () => ({ path: 'ideas/new.md', content: 'tulips' }) },
  'an overwritten file': { name: 'write_file', input: () => ({ path: 'garden.md', content: 'tulips' }) },
  'an overwritten large file': {
    name: 'write_file',
    input: () => ({ path: 'large.txt', content: 'small' }),
    prepare: async ({ folder }) => writeFileSync(join(folder, 'large.txt'), LARGE),
  },
  'an edited file': { name: 'edit_file', input: () => ({ path: 'garden.md', old: 'ros', new: 'lil' }) },
  'a moved file': { name: 'move_file', input: () => ({ from: 'garden.md', to: 'old/garden.md' }) },
  'a deleted file': { name: 'delete_file', input: () => ({ path: 'garden.md' }) },
  'a deleted large file': {
    name: 'delete_file',
    input: () => ({ path: 'large.txt' }),
    prepare: async ({ folder }) => writeFileSync(join(folder, 'large.txt'), LARGE),
  },
  'a remembered fact': { name: 'remember', input: () => ({ text: 'I live in Galway' }) },
  'a fact that replaces another': {
    name: 'remember',
    input: () => ({ text: 'I live in Galway' }),
    prepare: async ({ folder }) => writeFileSync(join(folder, '../../memory.md'), '- I live in Cork\n'),
  },
  'a forgotten fact': {
    name: 'forget_memory',
    input: () => ({ text: 'Cork' }),
    prepare: async ({ folder }) => writeFileSync(join(folder, '../../memory.md'), '- I live in Cork\n'),
  },
  'a stored artifact': { name: 'artifact.store', input: () => ({ data: [1, 2, 3], description: 'numbers' }) },
  'a reminder': { name: 'schedule', input: () => ({ when: 'tomorrow 8am', text: 'Reminder: call Ada' }) },
  'a schedule that was moved': {
    name: 'reschedule',
    prepare: aJob,
    input: () => ({ id: 'roses', when: 'every day at 9am' }),
  },
  'a schedule with another text': {
    name: 'rename_schedule',
    prepare: aJob,
    input: () => ({ id: 'roses', text: 'water the tulips' }),
  },
  'a cancelled schedule': {
    name: 'cancel_schedule',
    prepare: aJob,
    input: async (world) => ({ id: (await world.scheduler.list())[0]?.id }),
  },
};

/** Put what is there before into a world. @returns the input of the call. */
export async function prepared(found: UndoWorld, { prepare, input }: LocalEffect): Promise<unknown> {
  writeFileSync(join(found.folder, 'garden.md'), 'roses');
  await prepare?.(found);
  return input(found);
}

/** Make the call. What a file says has to be read before it may be replaced. */
export async function act(world: UndoWorld, { name }: LocalEffect, input: unknown): Promise<ToolResult> {
  if (name === 'write_file') await world.call('read_file', { path: (input as { path: string }).path });
  return world.call(name, input);
}
