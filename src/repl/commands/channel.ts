import { AssistantError } from '../../base/errors.ts';
import { nearest } from '../../base/text.ts';
import type { ChannelDescriptor } from '../../notify/channel.ts';
import { CHANNELS, findChannel } from '../../notify/channels.ts';
import { thatRunJobs } from '../../notify/presence.ts';
import { sayRoute } from '../../notify/routes.ts';
import { localTime } from '../../when/calendar.ts';
import type { Command, CommandCall } from '../command.ts';
import { formOf } from '../own-words.ts';
import { SetupCancelled } from '../setup/asker.ts';

type Form = (call: CommandCall, rest: readonly string[]) => Promise<number>;

const FORMS: Readonly<Record<string, Form>> = { list, add, pair, unpair, remove };
/** Those on which somebody can be heard whom Wooster knows. */
const RECEIVING = CHANNELS.filter(({ receives }) => receives?.words);

/**
 * Rows: `list` gives `{name, configured, detail, default}` and, for each account that speaks as the owner, `{channel,
 * account}`; `add` `{channel, variables}` and with a test message `{channel, test, detail}`; `pair` `{channel, code,
 * expiresAt}`; `unpair` `{channel, unpaired}`; `remove` `{channel, removed}`.
 */
export const channel: Command = {
  name: 'channel',
  summary: 'Set up how reminders reach you: ntfy, Telegram, email and others',
  group: 'Schedules and messages',
  usage: [
    'channel [list]',
    'channel add NAME [--set KEY=VALUE ...] [--test]',
    'channel pair NAME            a code: the account that sends it to Wooster speaks as you from then on',
    'channel pair NAME --all      and decides there what otherwise only the terminal may: control files, deleting',
    'channel unpair NAME          nobody speaks as you there any more',
    'channel remove NAME',
  ],
  examples: ['channel add ntfy --test', 'channel add telegram --set TELEGRAM_CHAT_ID=42 --test', 'channel remove ntfy'],
  flags: { set: { type: 'string', multiple: true }, test: { type: 'boolean' }, all: { type: 'boolean' } },
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
  for (const { channel: name, account } of notifier.receiving().flatMap(({ id }) => notifier.accounts.of(id))) {
    out.row({ channel: name, account });
    out.line(`  ${name}: account ${account} speaks as you`);
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

/** @throws AssistantError `not_received` when nothing could come in. */
async function pair({ app, out, flags }: CommandCall, [name]: readonly string[]): Promise<number> {
  const { id, label, receives } = named(name, RECEIVING);
  const { notifier } = app.schedule;
  if (!receives?.words) {
    const why = receives
      ? `Nobody is known on ${id}: whoever has a reminder may answer it.`
      : `Wooster only sends on ${id}.`;
    throw new AssistantError('not_received', why, { hint: oneOf(RECEIVING) });
  }
  if (!notifier.receiving().some((each) => each.id === id)) {
    const { detail = '' } = (await notifier.channels()).find((each) => each.name === id) ?? {};
    throw new AssistantError('not_received', `Nothing can come in on ${id} as it is set up.`, {
      hint: `First ${notifier.toReceive(id) ?? detail}.`,
    });
  }
  const pairing = await notifier.accounts.pair(id, flags.all === true);
  out.row(pairing);
  const until = localTime(new Date(pairing.expiresAt), app.home.timeZone).slice(11, 16);
  out.line(`Send ${pairing.code} to Wooster on ${label} before ${until}. Who sends it speaks as you from then on.`);
  if (thatRunJobs(await app.schedule.present()).length === 0)
    out.line('Nothing receives now: "wooster serve", "wooster service install" or an open prompt does.');
  return 0;
}

async function unpair({ app, out }: CommandCall, [name]: readonly string[]): Promise<number> {
  const { id } = named(name, RECEIVING);
  const unpaired = await app.schedule.notifier.accounts.unpair(id);
  out.show(
    { channel: id, unpaired },
    unpaired ? `Nobody speaks as you on ${id} any more.` : 'Nobody was paired there.',
  );
  return unpaired ? 0 : 1;
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

/**
 * @param offered  those that fit what is to be done.
 * @throws AssistantError `unknown_channel`.
 */
function named(name: string | undefined, offered = CHANNELS): ChannelDescriptor {
  const found = name === undefined ? undefined : findChannel(name);
  if (found) return found;
  const guess = nearest(
    name ?? '',
    offered.map(({ id }) => id),
  );
  throw new AssistantError('unknown_channel', name ? `There is no channel "${name}".` : 'No channel is named.', {
    hint: guess ? `Did you mean ${guess}?` : oneOf(offered),
  });
}

function oneOf(channels: typeof CHANNELS): string {
  return `Use one of ${channels.map(({ id }) => id).join(', ')}.`;
}
