import { AssistantError } from '../../base/errors.ts';
import { counted, nearest } from '../../base/text.ts';
import type { Knowledge } from '../../face/app.ts';
import { removeVersions } from '../../tools/builtin/file-versions.ts';
import { removeKeptStates } from '../../tools/undo/kept-states.ts';
import type { Command, CommandCall } from '../command.ts';
import { badUsage, isYes } from '../flags.ts';
import { unknownForm } from '../own-words.ts';

/**
 * `use` makes a project the active one, also for later starts. `delete` removes the index and imported documents, and
 * with `--files` the project's folder; it asks first, and with nobody to ask needs `--yes`.
 */
export const project: Command = {
  name: 'project',
  summary: 'List, create, select, show and delete projects',
  group: 'Documents',
  usage: [
    'project [list]',
    'project create NAME',
    'project use NAME',
    'project show [NAME]',
    'project delete NAME [--files]',
  ],
  examples: ['project create flat', 'project use flat', 'project show'],
  basic: true,
  flags: { files: { type: 'boolean' } },
  async run(call) {
    const [verb = 'list', name] = call.args;
    if (verb === 'list') return list(call);
    if (verb === 'show') return show(call, name ?? call.session.project);
    const action = Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb] : undefined;
    if (!action || name === undefined) throw wrongUse(call.app.knowledge, verb);
    return action(call, name);
  },
};

const ACTIONS: Readonly<Record<string, (call: CommandCall, name: string) => Promise<number>>> = {
  create: async ({ app, out }, name) => {
    app.knowledge.projects.create(name);
    const folder = app.knowledge.projects.folder(name);
    out.show({ name, folder }, `Project ${name}: put documents into ${folder}, or ingest them from elsewhere.`);
    return 0;
  },
  use: async ({ app, out, session }, name) => {
    app.knowledge.projects.use(name);
    session.project = name;
    out.show({ active: name }, `Active project: ${name}`);
    return 0;
  },
  delete: remove,
};

async function list({ app, out, session }: CommandCall): Promise<number> {
  for (const name of app.knowledge.projects.list()) {
    out.row({ name, active: name === session.project, folder: app.knowledge.projects.folder(name) });
    out.line(`${name === session.project ? '*' : ' '} ${name}`);
  }
  return 0;
}

/** Folder, journal, documents and attached folders of a project. */
async function show({ app, out }: CommandCall, name: string): Promise<number> {
  app.knowledge.projects.check(name);
  const { files, passages } = await app.knowledge.documents.sourceCounts(name);
  const row = {
    name,
    folder: app.knowledge.projects.folder(name),
    journal: app.knowledge.projects.journal(name),
    entries: app.knowledge.projects.journalEntries(name).length,
    attached: app.knowledge.projects.attached(name),
    prompt: app.knowledge.projects.prompt(name) ?? null,
    files,
    passages,
  };
  out.show(row, `${name}: ${row.folder}`);
  out.line(`  journal    ${counted(row.entries, 'entry', 'entries')}`);
  out.line(`  documents  ${counted(row.files, 'file')}, ${counted(row.passages, 'passage')}`);
  for (const path of row.attached) out.line(`  attached   ${path}`);
  if (row.prompt !== null) out.line('  prompt     prompt.txt');
  return 0;
}

/** The question says exactly what is deleted, since imported documents cannot be ingested again. */
async function remove(call: CommandCall, name: string): Promise<number> {
  const { app, out, flags, session } = call;
  checkKnown(app.knowledge, name);
  const files = flags.files === true;
  // Imported documents have no file here: deleting the index deletes them for good.
  const imported = (await app.knowledge.documents.imports(name)).length > 0;
  const what = files
    ? `the index${imported ? ', everything imported' : ''} AND all files in ${app.knowledge.projects.folder(name)}`
    : `the index ${imported ? 'and everything imported' : 'only'}; files stay`;
  if (!session.yes && !isYes(await out.ask(`Delete project ${name} (${what})? [y/N] `))) {
    out.note('Nothing was deleted.');
    return 1;
  }
  await app.knowledge.documents.forget(name);
  if (files) {
    app.knowledge.projects.deleteFolder(name);
    await removeVersions(app.store, name);
    await removeKeptStates(app.store, name);
  }
  out.row({ deleted: name, files });
  out.line(files ? `Deleted ${name} with its files.` : `Deleted the index of ${name}. Its files are unchanged.`);
  return 0;
}

/** The general error says how to create a project, which is no help to somebody who deletes one. */
function checkKnown({ projects }: Knowledge, name: string): void {
  if (projects.exists(name)) return;
  const guess = nearest(name, projects.list());
  throw new AssistantError('unknown_project', `There is no project "${name}".`, {
    hint: guess ? `Did you mean ${guess}?` : '"wooster project list" shows them.',
  });
}

function wrongUse({ projects }: Knowledge, verb: string): AssistantError {
  if (!Object.hasOwn(ACTIONS, verb)) {
    const unknown = unknownForm(project, verb);
    if (!projects.list().includes(verb)) return unknown;
    return badUsage(unknown.message, `Did you mean "project use ${verb}"?`);
  }
  return badUsage(`project ${verb} needs a name.`, `Usage: wooster ${project.usage.join(' | ')}`);
}
