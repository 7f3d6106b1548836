import { AssistantError } from '../../base/errors.ts';
import type { CatalogueEntry } from '../../models/local/catalogue.ts';
import type { InstallPlan, ModelInstaller, Stage } from '../../models/local/installer.ts';
import type { ModelServer } from '../../models/local/server-pull.ts';
import type { CommandCall, Output } from '../command.ts';
import { badUsage, isYes, textFlag } from '../flags.ts';
import { ProgressLine } from '../progress-line.ts';

/** What a person says yes to. */
export interface InstallQuestions {
  yes(question: string): Promise<boolean>;
}

/** `models install`: row `{name, source, licence, bytes, sha256}`, or `{name, server}` where a server fetched it. */
export async function installModel(call: CommandCall, [what]: readonly string[]): Promise<number> {
  const { app, out, flags, session } = call;
  const installer = await app.home.installer();
  const entry = what === undefined ? installer.suitable() : installer.catalogue.find(({ name }) => name === what);
  if (what === undefined) showCatalogue(installer, entry, out);
  const questions = { yes: async (text: string) => session.yes || isYes(await out.ask(`${text} [y/N] `)) };
  const server = entry && (await offeredServer(installer, entry, questions));
  if (server) return pulled(call, { installer, server, entry });
  const wish = {
    what: what ?? entry?.name ?? '',
    sha256: textFlag(flags, 'sha256'),
    licence: textFlag(flags, 'licence'),
  };
  const plan = installer.plan(wish);
  if (!(await questions.yes(`${planText(plan)} Install?`))) {
    out.line('Nothing was installed.');
    return 1;
  }
  await installed(call, installer, plan);
  return 0;
}

/** Install what was agreed to, and tell what to do with it. */
export async function installed(
  { out, signal }: Pick<CommandCall, 'out' | 'signal'>,
  installer: ModelInstaller,
  plan: InstallPlan,
): Promise<void> {
  const card = await installer.install(plan, { signal, onProgress: progressOn(out) });
  const remove = `\`wooster models remove ${card.name}\` takes it away again.`;
  out.show(card, `${plan.title} is installed as local:${card.name}, and has answered. ${remove}`);
}

/** Whether one of the programs that run here shall fetch the model. */
export async function offeredServer(
  installer: ModelInstaller,
  entry: CatalogueEntry,
  questions: InstallQuestions,
): Promise<ModelServer | undefined> {
  for (const server of await installer.servers()) {
    const about = `about ${entry.downloadGb} GB, ${entry.licence}`;
    if (await questions.yes(`${server.label} runs on this machine. Shall it fetch ${entry.title} (${about})?`))
      return server;
  }
  return undefined;
}

/** The whole of what is agreed to, in a few sentences. */
export function planText({ title, bytes, source, licence, memoryBytes, engineBytes }: InstallPlan): string {
  const size = bytes === undefined ? 'a file of unknown size' : gigabytes(bytes);
  const from = /^https?:/u.test(source) ? `from ${new URL(source).host}` : `from ${source}`;
  const memory = memoryBytes === undefined ? '' : `, needs about ${gigabytes(memoryBytes)} of memory`;
  const engine =
    engineBytes === undefined ? '' : ` With it comes the engine, ${Math.round(engineBytes / 1e6)} MB from npm, MIT.`;
  const what = `${title}: ${size} ${from}, licence ${licence}${memory}.`;
  return `${what} Nothing you write to it leaves this machine.${engine}`;
}

interface Pull {
  readonly installer: ModelInstaller;
  readonly server: ModelServer;
  readonly entry: CatalogueEntry;
}

async function pulled({ out, signal }: CommandCall, { installer, server, entry }: Pull): Promise<number> {
  await installer.pull(server, entry, { signal, onProgress: progressOn(out) });
  const lines = Object.entries(server.settings(entry)).map(([name, value]) => `  ${name}=${value}`);
  const told = [`${server.label} has ${server.nameOf(entry)}. These lines in .env make it the model:`, ...lines];
  out.show({ name: server.nameOf(entry), server: server.label }, told.join('\n'));
  return 0;
}

function showCatalogue({ catalogue }: ModelInstaller, suits: CatalogueEntry | undefined, out: Output): void {
  for (const entry of catalogue) {
    const { name, title, licence, downloadGb, memoryGb, pinned } = entry;
    const notes = [entry === suits ? 'suits this machine' : '', pinned === null ? 'no checksum yet' : ''].filter(
      Boolean,
    );
    const note = notes.length > 0 ? `  (${notes.join('; ')})` : '';
    out.line(`${name.padEnd(12)} ${title}, ${downloadGb} GB, ${memoryGb} GB of memory, ${licence}${note}`);
  }
}

const STAGES: Readonly<Record<Stage, string>> = {
  engine: 'engine',
  download: 'download, MB',
  copy: 'copy, MB',
  trial: 'trial',
};

function progressOn(out: Output) {
  const line = new ProgressLine(out);
  return ({ stage, done, total }: { stage: Stage; done: number; total: number | undefined }) => {
    if (total === undefined) out.progress(done === 0 ? `${STAGES[stage]} ...` : `${STAGES[stage]}  ${megabytes(done)}`);
    else line.show({ stage: STAGES[stage], done: megabytes(done), total: megabytes(total), file: '' });
  };
}

/** `models remove`: row `{removed, engine}`. */
export async function removeModel({ app, out }: CommandCall, [name]: readonly string[]): Promise<number> {
  const installer = await app.home.installer();
  await mustBeInstalled(app.home, name);
  const engine = await installer.remove(name ?? '');
  out.show({ removed: name, engine }, `${name} was removed${engine ? ', and the engine with it' : ''}.`);
  return 0;
}

/** `models try`: row `{name, text, ms}`. */
export async function tryModel({ app, out, signal }: CommandCall, [wanted]: readonly string[]): Promise<number> {
  const installer = await app.home.installer();
  const name = wanted ?? installer.installed()[0]?.name;
  await mustBeInstalled(app.home, name);
  const { text, ms } = await installer.word(name ?? '', signal);
  out.show({ name, text, ms: Math.round(ms) }, `${name}: ${text} (${Math.round(ms)} ms, loading included)`);
  return 0;
}

async function mustBeInstalled(home: CommandCall['app']['home'], name: string | undefined): Promise<void> {
  const names = (await home.installer()).installed().map((model) => model.name);
  if (name !== undefined && names.includes(name)) return;
  const hint =
    names.length === 0 ? '`wooster models install` installs one.' : `These are installed: ${names.join(', ')}.`;
  if (name === undefined) throw badUsage('Which model?', hint);
  throw new AssistantError('bad_usage', `The model ${name} is not installed.`, { hint });
}

function gigabytes(bytes: number): string {
  return bytes < 5e7 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6);
}
