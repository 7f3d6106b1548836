import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, resolve } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { CHANNELS, findChannel } from '../../notify/channels.ts';
import { HERE } from '../../notify/routes.ts';
import type { CommandCall } from '../command.ts';
import { badUsage, textFlag } from '../flags.ts';
import type { Asker } from './asker.ts';
import { type ModelChoice, ModelChooser } from './model-choice.ts';
import { startersStep } from './starters-step.ts';
import { writeVariables } from './variables.ts';

/** A project to be made of a folder. */
interface FirstProject {
  readonly name: string;
  readonly folder: string;
}

/**
 * Ask everything first, and write only then: stopping earlier changes nothing.
 *
 * @param keyGiven  a key that came on standard input.
 * @returns the exit code.
 */
export async function runSetup(call: CommandCall, asker: Asker, keyGiven: string | undefined): Promise<number> {
  const { app, out, signal } = call;
  const chosen = await new ModelChooser(call, asker, keyGiven).choose();
  if (chosen.model !== undefined) asker.say(`${chosen.model} is the model.`);
  const project = await firstProject(call, asker);
  const reach = await channelStep(call, asker);
  const serve = await serviceStep(call, asker);
  const start = await startersStep(call, asker);
  signal.throwIfAborted();
  const hidden = Object.keys(chosen.variables).filter((name) => app.home.setup.whereSet(name) === 'environment');
  await writeVariables(app.home.setup, chosen.variables, signal);
  told(call, asker, { ...chosen, hidden });
  out.row({ provider: chosen.provider, model: chosen.model ?? null, variables: Object.keys(chosen.variables) });
  const codes = [project ? await makeProject(call, project) : 0, await reach(), await serve(), await start()];
  const example = project ? `wooster ask "What is in my documents?"` : `wooster ask "Remind me at 6 to call Anna"`;
  asker.say(`Done. Try: ${example}`);
  return Math.max(...codes);
}

interface Hidden {
  /** Known before they are written: afterwards every new value differs from that of the start. */
  readonly hidden: readonly string[];
}

/** Report what was written, and which of it has no effect because the environment overrides it. */
function told({ app }: CommandCall, asker: Asker, { variables, hidden }: ModelChoice & Hidden): void {
  const names = Object.keys(variables);
  if (names.length === 0) asker.say('Nothing had to be saved.');
  else asker.say(`Saved in ${app.home.setup.envFile}, readable by you alone: ${names.join(', ')}`);
  if (hidden.length > 0) asker.problem(`Your environment sets ${hidden.join(' and ')} too, and counts first.`);
}

async function firstProject({ app, flags, session }: CommandCall, asker: Asker): Promise<FirstProject | undefined> {
  const given = textFlag(flags, 'folder');
  const wrong = given === undefined ? undefined : check(given);
  if (wrong !== undefined) throw badUsage(`--folder: ${wrong}`, 'Name one that exists.');
  const asked = given ?? (await asker.text('Folder with documents to ask about (Enter: none)', { usual: '', check }));
  if (asked === '') return undefined;
  const folder = pathOf(asked);
  const named = textFlag(flags, 'project') !== undefined;
  const usual = named ? session.project : nameFrom(folder);
  app.knowledge.projects.folder(usual);
  const refused = (name: string) => problemOf(() => app.knowledge.projects.folder(name));
  const name = named ? usual : await asker.text('Name of the project', { usual, check: refused });
  return { name, folder };
}

function check(typed: string): string | undefined {
  const path = pathOf(typed);
  return typed === '' || (existsSync(path) && statSync(path).isDirectory()) ? undefined : 'There is no such folder.';
}

/** People type `~` and paste quotes. */
function pathOf(typed: string): string {
  const bare = /^(['"])(.*)\1$/u.exec(typed)?.[2] ?? typed;
  return resolve(bare.replace(/^~(?=$|\/)/u, homedir()));
}

/** A name that a project can have. */
function nameFrom(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/gu, '')
    .slice(0, 40);
  return name === '' ? 'documents' : name;
}

function problemOf(attempt: () => void): string | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

async function makeProject(call: CommandCall, { name, folder }: FirstProject): Promise<number> {
  call.app.knowledge.projects.create(name);
  call.app.knowledge.projects.use(name);
  call.session.project = name;
  const { ingest } = await import('../commands/ingest.ts');
  return ingest.run({ ...call, args: [folder], flags: {} });
}

/** What the question for a channel is answered with. */
const NO_CHANNEL = 'none';

/** A channel that is set up already, for a test message; else one to set up, so that reminders reach a pocket. */
async function channelStep(call: CommandCall, asker: Asker): Promise<() => Promise<number>> {
  const { app, flags } = call;
  const channel = await app.schedule.notifier.defaultChannel();
  if (channel !== HERE) {
    const wanted = flags['test-channel'] === true || (await asker.yes(`Send yourself a test message by ${channel}?`));
    return async () => (wanted ? testChannel(call, channel) : 0);
  }
  if (!asker.interactive) return async () => 0;
  const options = [
    { value: NO_CHANNEL, label: 'Nowhere else', hint: 'only at the prompt' },
    ...CHANNELS.map(({ id, label }) => ({ value: id, label })),
  ];
  const question = 'Where should reminders reach you when you are not at the prompt?';
  const chosen = findChannel(await asker.choose(question, { options, usual: NO_CHANNEL, flag: '--test-channel' }));
  const { addChannel } = await import('./add-channel.ts');
  return async () => (chosen ? addChannel(call, { channel: chosen, asker, given: [], test: undefined }) : 0);
}

/** Reminders come at any time only where something runs at any time. */
async function serviceStep({ app, out }: CommandCall, asker: Asker): Promise<() => Promise<number>> {
  const { places, settingNames } = app.home.setup;
  const { installService, isServiceMissing, serviceOf } = await import('../service/this-service.ts');
  if (!asker.interactive || !(await isServiceMissing(places))) return async () => 0;
  const wanted = await asker.yes('Keep Wooster running in the background, so that reminders come at any time?');
  return async () => (wanted ? installService(serviceOf(places, settingNames()), out) : 0);
}

async function testChannel(call: CommandCall, channel: string): Promise<number> {
  const { notify } = await import('../commands/notify.ts');
  return notify.run({ ...call, args: ['This is a test message of Wooster.'], flags: { to: channel } });
}
