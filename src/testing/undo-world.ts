import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openCutOff } from '../app/tools.ts';
import type { Clock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import { Memory } from '../plugins/memory/memory.ts';
import { createMemoryTools } from '../plugins/memory/tools.ts';
import { createProjects } from '../rag/projects.ts';
import type { Scheduler } from '../scheduler/contract.ts';
import type { Store } from '../store/store.ts';
import { Artifacts, createArtifactTools } from '../tools/builtin/artifacts.ts';
import { createFileTools } from '../tools/builtin/files.ts';
import { createListTools } from '../tools/builtin/lists.ts';
import { createNoteTools, projectJournal } from '../tools/builtin/notes.ts';
import { createScheduleTools } from '../tools/builtin/schedule.ts';
import type { CutOffEffects } from '../tools/gate/cut-off-effects.ts';
import type { CallScope, ToolResult } from '../tools/gate/types.ts';
import { createUndo, type UndoParts } from '../tools/undo/create.ts';
import { FakeClock } from './clock.ts';
import { idleScheduler } from './idle-scheduler.ts';
import { type TestScope, testScope, testToolbox } from './scope.ts';

/** The tools that have local effects, over a real project folder, store and scheduler, with what undoes them. */
export interface UndoWorld extends UndoParts {
  readonly store: Store;
  readonly scheduler: Scheduler;
  readonly artifacts: Artifacts;
  /** The folder of the project `home`. */
  readonly folder: string;
  /** What tells the outcome of calls that were cut off. */
  readonly cutOff: CutOffEffects;
  /** @param more of the scope: `{ script: {} }` for a call by a script. */
  call(name: string, input: unknown, more?: Partial<CallScope>): Promise<ToolResult>;
  /** Everything that local effects can change. */
  everything(): Promise<unknown>;
}

/** @param dir the home; @param turnId of all calls. */
export function undoWorld(
  store: Store,
  dir: string,
  turnId = 'turn_1',
  clock: Clock = new FakeClock('2026-11-20T11:00:00Z'),
): UndoWorld {
  const now = () => clock.now();
  const projects = createProjects({ projectsDir: join(dir, 'projects'), homeDir: dir, log: silentLog, store });
  const artifacts = new Artifacts(store, now);
  const scheduler = idleScheduler(store, clock);
  const limits = { days: 90, megabytes: 200 };
  const parts = createUndo({ store, now, projects, artifacts, scheduler, limits });
  const folder = projects.folder('home');
  mkdirSync(folder, { recursive: true });
  const memory = new Memory({
    ...{ files: parts.files, projects, log: silentLog, redactor: new Redactor() },
    isLocalOnly: () => false,
    whyNot: async () => undefined,
  });
  const tools = [
    ...createFileTools(() => parts.files),
    ...createNoteTools(projectJournal(projects, parts)),
    ...createListTools(parts.files),
    ...createScheduleTools(scheduler, parts.undoable),
    ...createArtifactTools(artifacts, parts.undoable),
    ...createMemoryTools(memory),
  ];
  let scope: TestScope | undefined;
  return {
    ...{ ...parts, store, scheduler, artifacts, folder },
    cutOff: openCutOff({
      ...{ store, now, kept: parts },
      toolbox: { find: (name) => tools.find((tool) => tool.name === name) },
      notifier: { outcome: async () => undefined },
    }),
    async call(name, input, more) {
      scope ??= await testScope({ store, turn: { id: turnId }, now, decide: { verdict: 'once', by: 'you' } });
      return testToolbox(tools, scope).call(name, input, { ...scope, ...more });
    },
    async everything() {
      const listed = await artifacts.list('home');
      const kept = await Promise.all(listed.map(({ id }) => artifacts.state(id)));
      const jobs = (await scheduler.list()).map(({ id, prompt, description, next, enabled }) => {
        return { id, prompt, description, next: next?.toISOString(), enabled };
      });
      return { files: filesIn(folder), memory: await memory.facts('home'), kept, jobs };
    },
  };
}

/** Every file with its content, without the copies of large versions. */
function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('.'));
  const files = names.filter((name) => statSync(join(folder, name)).isFile()).toSorted();
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'latin1')]));
}
