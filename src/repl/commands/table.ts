import { AssistantError } from '../../base/errors.ts';
import { nearest } from '../../base/text.ts';
import type { Command } from '../command.ts';

/** A command before it is loaded: enough for help, completion and dispatch. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly only?: 'argv' | 'slash';
  load(): Promise<Command>;
}

/** Every command but `chat`, in the order of the help. Loading is lazy so that the prompt appears at once. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'ask',
    summary: 'Answer one question and exit',
    only: 'argv',
    load: async () => (await import('./ask.ts')).ask,
  },
  {
    name: 'mode',
    summary: 'Show or change how the model asks for actions',
    only: 'slash',
    load: async () => (await import('./mode.ts')).mode,
  },
  {
    name: 'code',
    summary: 'Show scripts while they run, or change how often they may fail',
    only: 'slash',
    load: async () => (await import('./code.ts')).code,
  },
  {
    name: 'replay',
    summary: "Run a past turn's scripts again from the record, without acting",
    load: async () => (await import('./replay.ts')).replay,
  },
  { name: 'tools', summary: 'List what the model can do', load: async () => (await import('./tools.ts')).tools },
  {
    name: 'plugins',
    summary: 'List the plugins, whether they run, and why not',
    load: async () => (await import('./plugins.ts')).plugins,
  },
  {
    name: 'ingest',
    summary: 'Take files, folders and globs into the documents of the project',
    load: async () => (await import('./ingest.ts')).ingest,
  },
  {
    name: 'rag',
    summary: 'Search the documents, and measure how well that works',
    load: async () => (await import('./rag.ts')).rag,
  },
  {
    name: 'sources',
    summary: 'Show every file of the project and what became of it',
    load: async () => (await import('./sources.ts')).sources,
  },
  {
    name: 'project',
    summary: 'List, create, choose, show and delete projects',
    load: async () => (await import('./project.ts')).project,
  },
  {
    name: 'schedule',
    summary: 'Run prompts later or again and again, and see what came of them',
    load: async () => (await import('./schedule.ts')).schedule,
  },
  {
    name: 'notify',
    summary: 'Send yourself a message, and see what became of earlier ones',
    load: async () => (await import('./notify.ts')).notify,
  },
  {
    name: 'serve',
    summary: 'Run schedules and deliver messages without a terminal, until stopped',
    only: 'argv',
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    name: 'sessions',
    summary: 'List, search, rename or delete past conversations',
    load: async () => (await import('./sessions.ts')).sessions,
  },
  {
    name: 'resume',
    summary: 'Go on with a past conversation, and with a request that was cut off',
    load: async () => (await import('./resume.ts')).resume,
  },
  {
    name: 'new',
    summary: 'Begin a new conversation',
    only: 'slash',
    load: async () => (await import('./new.ts')).newCommand,
  },
  {
    name: 'undo',
    summary: 'Take the last exchange out of the conversation',
    load: async () => (await import('./undo.ts')).undo,
  },
  {
    name: 'branch',
    summary: 'Go on in a copy of the conversation',
    load: async () => (await import('./branch.ts')).branch,
  },
  {
    name: 'export',
    summary: 'Write a conversation as Markdown or JSON',
    load: async () => (await import('./export.ts')).exportCommand,
  },
  {
    name: 'compact',
    summary: 'Summarise all but the last exchange of the conversation',
    load: async () => (await import('./compact.ts')).compact,
  },
  {
    name: 'context',
    summary: "Show what fills the model's window",
    load: async () => (await import('./context.ts')).context,
  },
  {
    name: 'bg',
    summary: 'Answer a request in the background, in a conversation of its own',
    only: 'slash',
    load: async () => (await import('./bg.ts')).bg,
  },
  {
    name: 'jobs',
    summary: 'List what runs in the background',
    only: 'slash',
    load: async () => (await import('./jobs.ts')).jobs,
  },
  {
    name: 'stop',
    summary: 'Stop what runs in the background',
    only: 'slash',
    load: async () => (await import('./stop.ts')).stop,
  },
  {
    name: 'models',
    summary: 'List the models in the order in which they are asked, and how they do',
    load: async () => (await import('./models.ts')).models,
  },
  {
    name: 'model',
    summary: 'Show the model, choose another, or let the router choose',
    only: 'slash',
    load: async () => (await import('./model.ts')).model,
  },
  {
    name: 'routing',
    summary: 'Show which model each kind of task gets, and why',
    load: async () => (await import('./routing.ts')).routing,
  },
  {
    name: 'usage',
    summary: 'Show tokens and cost by model, mode, project, job, day or month',
    load: async () => (await import('./usage.ts')).usage,
  },
  {
    name: 'workspace',
    summary: 'Give the conversation a closed place for files and commands, or take it away',
    load: async () => (await import('./workspace.ts')).workspace,
  },
  {
    name: 'approvals',
    summary: 'Show or take back what you have always allowed',
    load: async () => (await import('./approvals.ts')).approvals,
  },
  {
    name: 'log',
    summary: 'Show what was done, when, by which turn and on whose leave',
    load: async () => (await import('./log.ts')).log,
  },
  {
    name: 'backup',
    summary: 'Copy conversations, jobs and records to one file, or check such a file',
    load: async () => (await import('./backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'Put a backup in the place of the database; the state before is kept',
    only: 'argv',
    load: async () => (await import('./restore.ts')).restore,
  },
  {
    name: 'doctor',
    summary: 'Check that everything the program needs works',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'help',
    summary: 'List the commands, or explain one',
    load: async () => (await import('./help.ts')).help,
  },
  { name: 'quit', summary: 'Leave', only: 'slash', load: async () => (await import('./quit.ts')).quit },
];

export type Place = 'argv' | 'slash';

/** The commands that can be used in a place. */
export function commandsFor(place: Place): readonly CommandEntry[] {
  return COMMANDS.filter((entry) => entry.only === undefined || entry.only === place);
}

/**
 * The command of that name.
 *
 * @throws AssistantError `unknown_command` with the nearest match.
 */
export function findCommand(name: string, place: Place): CommandEntry {
  const entries = commandsFor(place);
  const found = entries.find((entry) => entry.name === name);
  if (found) return found;
  const prefix = place === 'slash' ? '/' : '';
  const names = [...entries.map((entry) => entry.name), ...(place === 'argv' ? ['chat'] : [])];
  const guess = nearest(name, names);
  const list = place === 'slash' ? '/help' : 'wooster help';
  if (place === 'argv' && /\s/u.test(name)) {
    throw new AssistantError('bad_usage', 'A question needs the command in front.', { hint: 'wooster ask "..."' });
  }
  throw new AssistantError('unknown_command', `Unknown command "${prefix}${name}".`, {
    hint: guess ? `Did you mean "${prefix}${guess}"?` : `"${list}" lists the commands.`,
  });
}
