import type { ChannelDescriptor, ChannelOption } from '../../notify/channel.ts';
import type { CommandCall } from '../command.ts';
import { badUsage } from '../flags.ts';
import type { Asker } from './asker.ts';
import { writeVariables } from './variables.ts';

/** What a person is told that their channel works by. */
const TEST_TEXT = 'This is a test message of Wooster: reminders can reach you here.';

interface Adding {
  readonly channel: ChannelDescriptor;
  readonly asker: Asker;
  /** `KEY=VALUE`, by variable or key. */
  readonly given: readonly string[];
  /** Send a test message; undefined: ask. */
  readonly test: boolean | undefined;
}

/**
 * Set a channel up: what is given counts, then what is set already, then what the channel thinks of by itself; the rest
 * is asked for. Nothing is written before all of it is known and found to work at the next start.
 *
 * @returns the exit code: 1 when the test message was not sent.
 * @throws AssistantError `bad_setting` or `bad_usage` for values with which nothing would start, or nothing be sent.
 */
export async function addChannel(call: CommandCall, adding: Adding): Promise<number> {
  const { app, out, signal } = call;
  const { channel, asker } = adding;
  const { setup } = app.home;
  const variables = await valuesOf(call, adding);
  const { configured, receives, detail } = setup.channelWith(channel.id, variables);
  if (!configured && !receives)
    throw badUsage(`${channel.label} cannot be used like that: ${detail}.`, 'Nothing was saved.');
  const names = Object.keys(variables);
  const hidden = names.filter((each) => setup.whereSet(each) === 'environment');
  await writeVariables(setup, variables, signal);
  if (names.length > 0) asker.say(`Saved in ${setup.envFile}, readable by you alone: ${names.join(', ')}`);
  for (const name of hidden) asker.problem(`Your environment sets ${name} too, and counts first.`);
  await showNext(call, adding, variables);
  out.row({ channel: channel.id, variables: names });
  if (!configured && adding.test !== true) {
    asker.say(`Now ${detail}.`);
    return 0;
  }
  if (adding.test ?? (asker.interactive && (await asker.yes(`Send a test message by ${channel.label}?`))))
    return sendTest(call, adding, variables);
  asker.say(`Reminders go there when nobody is at a prompt: wooster notify "hello" --to ${channel.id} tries it.`);
  return 0;
}

async function valuesOf({ app }: CommandCall, adding: Adding): Promise<Record<string, string>> {
  const { channel } = adding;
  const values = readGiven(adding);
  const fresh = channel.fresh?.() ?? {};
  const isSet = ({ env }: ChannelOption) => values[env] !== undefined || app.home.setup.whereSet(env) !== undefined;
  const needed = channel.needs.map((need) => (typeof need === 'string' ? [need] : need));
  const anySet = (names: readonly string[]) =>
    names.some((name) => channel.options[name] && isSet(channel.options[name]));
  // What is set up already gets nothing that was not asked for.
  const wanted = needed.some(anySet) ? [] : Object.keys(fresh);
  const missing = needed.filter((names) => !anySet(names)).flatMap(([name = '']) => name);
  for (const name of new Set([...missing, ...wanted])) {
    const row = channel.options[name];
    if (!row || isSet(row)) continue;
    values[row.env] = fresh[name] ?? (await askFor(adding, row));
  }
  return values;
}

/** @throws AssistantError `bad_usage` for what the channel has not. */
function readGiven({ channel, given }: Adding): Record<string, string> {
  const rows = Object.values(channel.options);
  return Object.fromEntries(
    given.map((pair) => {
      const [name = '', ...value] = pair.split('=');
      const row = rows.find(({ env, key }) => [env, key].some((each) => each.toLowerCase() === name.toLowerCase()));
      if (row && value.length > 0) return [row.env, value.join('=')];
      throw badUsage(
        `"${name}" is nothing that can be set for ${channel.id}.`,
        `Use --set with ${rows.map(({ env }) => `${env}=...`).join(', ')}.`,
      );
    }),
  );
}

async function askFor({ channel, asker }: Adding, { env, kind, about }: ChannelOption): Promise<string> {
  if (!asker.interactive) throw badUsage(`${channel.id} needs ${env}.`, `Add --set ${env}=...: ${about}`);
  const isSecret = kind === 'secret' || kind === 'secretUrl';
  const question = `${about.replace(/\.$/u, '')} (${env})`;
  const check = (typed: string) => (typed.trim() === '' ? `${channel.id} needs it.` : undefined);
  return isSecret ? asker.secret(question) : asker.text(question, { usual: '', check });
}

/** What is left to do on the phone. */
async function showNext({ app, out }: CommandCall, { channel, asker }: Adding, variables: Record<string, string>) {
  const next = app.home.setup.subscription(channel.id, variables);
  if (!next) return;
  asker.say(`${next.text}\n${next.url}`);
  if (!out.draws) return;
  const { renderUnicodeCompact } = await import('uqr');
  out.line(renderUnicodeCompact(next.url));
}

async function sendTest(
  { app, out, signal }: CommandCall,
  { channel, asker }: Adding,
  variables: Record<string, string>,
) {
  const { state, detail } = await app.home.setup.sendBy(channel.id, { variables, text: TEST_TEXT, signal });
  out.row({ channel: channel.id, test: state, detail });
  if (state === 'sent') asker.say(`A test message was sent by ${channel.label}: ${detail}.`);
  else asker.problem(`The test message was not sent: ${detail}.`);
  return state === 'sent' ? 0 : 1;
}
