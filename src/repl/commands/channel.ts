import { AssistantError } from '../../base/errors.ts';
import { nearest } from '../../base/text.ts';
import { CHANNELS, findChannel } from '../../notify/channels.ts';
import { sayRoute } from '../../notify/routes.ts';
import type { Command, CommandCall } from '../command.ts';
import { formOf } from '../own-words.ts';
import { SetupCancelled } from '../setup/asker.ts';

type Form = (call: CommandCall, rest: readonly string[]) => Promise<number>;

const FORMS: Readonly<Record<string, Form>> = { list, add, remove };

/**
 * Rows: `list` gives `{name, configured, detail, default}`, `add` `{channel, variables}` and with a test message
 * `{channel, test, detail}`, `remove` `{channel, removed}`.
 */
export const channel: Command = {
  name: 'channel',
  summary: 'Set up how reminders reach you: ntfy, Telegram, email and others',
  group: 'Schedules and messages',
  usage: ['channel [list]', 'channel add NAME [--set KEY=VALUE ...] [--test]', 'channel remove NAME'],
  examples: ['channel add ntfy --test', 'channel add telegram --set TELEGRAM_CHAT_ID=42 --test', 'channel remove ntfy'],
  flags: { set: { type: 'string', multiple: true }, test: { type: 'boolean' } },
  async run(call) {
    const [form = 'list', ...rest] = call.args;
    return formOf(channel, FORMS, form)(call, rest);
  },
};

/** Every channel with what it is set up for, and the routes. */
export async function list({ app, out }: CommandCall): Promise<number> {
  const { notifier } = app.schedule;
  const usual = await notifier.defaultChannel();
  for (const each of await notifier.channels()) {
    out.row({ ...each, default: each.name === usual });
    const mark = each.name === usual ? '*' : ' ';
    out.line(`${mark} ${each.name}  ${each.configured ? each.detail : `off: ${each.detail}`}`);
  }
  const { usual: route, urgent } = await notifier.notices.routes();
  out.line(`A reminder goes: ${sayRoute(route)}. Something urgent: ${sayRoute(urgent)}.`);
  return 0;
}

async function add(call: CommandCall, [name]: readonly string[]): Promise<number> {
  const found = named(name);
  const { openAsker } = await import('../setup/open-asker.ts');
  const { addChannel } = await import('../setup/add-channel.ts');
  const given = [call.flags.set ?? []].flat().map(String);
  const test = call.flags.test === true ? true : undefined;
  // At the prompt of the REPL the line belongs to the next request.
  const asker = await openAsker(call, call.place === 'slash');
  try {
    return await addChannel(call, { channel: found, asker, given, test });
  } catch (error) {
    if (!(error instanceof SetupCancelled)) throw error;
    call.out.note('Stopped. Nothing was changed.');
    return 130;
  }
}

/** Take its settings out of `.env`; what waits for it is told where its owner is. */
async function remove({ app, out, signal }: CommandCall, [name]: readonly string[]): Promise<number> {
  const found = named(name);
  const { removeVariables } = await import('../setup/variables.ts');
  const names = Object.values(found.options).map(({ env }) => env);
  const [kept, removed] = [[] as string[], [] as string[]];
  for (const variable of names) {
    const where = app.home.setup.whereSet(variable);
    if (where !== undefined) (where === 'file' ? removed : kept).push(variable);
  }
  await removeVariables(app.home.setup, removed, signal);
  out.row({ channel: found.id, removed });
  if (removed.length > 0) out.line(`Removed from ${app.home.setup.envFile}: ${removed.join(', ')}.`);
  if (kept.length > 0) out.line(`Your environment still sets ${kept.join(', ')}.`);
  if (removed.length + kept.length === 0) out.line(`${found.id} is not set up.`);
  return 0;
}

/** @throws AssistantError `unknown_channel`. */
function named(name: string | undefined) {
  const found = name === undefined ? undefined : findChannel(name);
  if (found) return found;
  const names = CHANNELS.map(({ id }) => id);
  const guess = nearest(name ?? '', names);
  throw new AssistantError('unknown_channel', name ? `There is no channel "${name}".` : 'No channel is named.', {
    hint: guess ? `Did you mean ${guess}?` : `Use one of ${names.join(', ')}.`,
  });
}
