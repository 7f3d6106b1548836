import { createAnswers } from '../../answers/answers.ts';
import type { Gateway } from '../../net/types.ts';
import type { Notifier } from '../../notify/contract.ts';
import { servedBy, whoIsThere } from '../../notify/presence.ts';
import type { Projects } from '../../rag/projects.ts';
import type { Documents } from '../../rag/types.ts';
import type { Scheduler } from '../../scheduler/contract.ts';
import type { Store } from '../../store/store.ts';
import type { Origins } from '../gate/origins.ts';
import type { Source, Tool } from '../tool.ts';
import type { UndoParts } from '../undo/create.ts';
import { createAgendaTool } from './agenda.ts';
import { type Artifacts, createArtifactTools } from './artifacts.ts';
import { createCalculateTools } from './calculate.ts';
import { createCurrentTimeTool } from './current-time.ts';
import { createDocumentTools } from './document-tools.ts';
import { createFileTools } from './files.ts';
import { JobWrites } from './job-writes.ts';
import { createListTools } from './lists.ts';
import { withNeeds } from './needs.ts';
import { createNoteTools, projectJournal } from './notes.ts';
import { createNoticeTools } from './notices.ts';
import { createNotifyTools } from './notify.ts';
import type { FileSpace } from './project-files.ts';
import { createQueryRagTool } from './query-rag.ts';
import { createScheduleTools, type JobProgramOf, type Jobs } from './schedule.ts';
import { createSendFileTool } from './send-file.ts';
import { createUndoTools } from './undo-change.ts';
import type { WebOptions } from './web-search.ts';
import { createWebTools } from './web-tools.ts';

/** What the built-in tools may use of the program; each takes only what it needs. */
export interface BuiltInDeps {
  readonly store: Store;
  readonly now: () => Date;
  readonly projects: Projects;
  readonly documents: Documents;
  readonly artifacts: Artifacts;
  readonly scheduler: Jobs & Pick<Scheduler, 'show'>;
  readonly jobProgram?: JobProgramOf | undefined;
  /** What the running plugins offer under a name. */
  services(name: string): readonly unknown[];
  /** Knows the provenance of files. */
  readonly origins: Origins;
  readonly notifier: Notifier;
  readonly gateway: Gateway;
  readonly web: WebOptions;
  /** Keeps what the tools replace. */
  readonly kept: UndoParts;
  /** Where a conversation with a workspace keeps its files; undefined: in the folder of its project. */
  workspaceFiles(conversationId: string): FileSpace | undefined;
}

/** Every built-in tool, in the order in which models see them. A new tool is a file here and a line below. */
export function createBuiltInTools(deps: BuiltInDeps): Tool[] {
  const { projects, gateway } = deps;
  const { states, undoable, files } = deps.kept;
  const writes = new JobWrites(deps.store, deps.now);
  const anyUntrusted = async (sources: readonly Source[]) => (await deps.origins.labels(sources)).untrusted;
  const spaceOf = (id: string) => deps.workspaceFiles(id) ?? files;
  const tools = [
    ...createNoteTools(projectJournal(projects, { files, states })),
    ...createListTools(files),
    createQueryRagTool(createAnswers(deps.documents), anyUntrusted),
    ...createDocumentTools(deps.documents, anyUntrusted),
    ...createFileTools(spaceOf, {
      onWrite: writes.note.bind(writes),
      ingested: { texts: (project, name) => deps.documents.texts(project, name), anyUntrusted },
    }),
    ...createScheduleTools(deps.scheduler, undoable, {
      served: async () => servedBy(await whoIsThere(deps)),
      askedIn: (turnId) => deps.notifier.inbox.askedIn(turnId),
      jobProgram: deps.jobProgram,
    }),
    ...createUndoTools(deps.kept.undo),
    createAgendaTool(deps, anyUntrusted),
    ...createNotifyTools(deps.notifier),
    createSendFileTool({ ...deps, spaceOf, anyUntrusted }),
    ...createNoticeTools({ notices: deps.notifier.notices, scheduler: deps.scheduler }),
    ...createWebTools({ gateway, options: deps.web }),
    ...createArtifactTools(deps.artifacts, undoable),
    createCurrentTimeTool(),
    ...createCalculateTools(),
  ];
  return withNeeds(tools, deps);
}
