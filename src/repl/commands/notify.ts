import { preview } from '../../base/text.ts';
import { HERE } from '../../notify/routes.ts';
import type { Delivery } from '../../notify/types.ts';
import type { Command, CommandCall } from '../command.ts';
import { badUsage, textFlag } from '../flags.ts';
import { list as listChannels } from './channel.ts';

/** Newest messages shown by `--list`. */
const LIST_LENGTH = 20;

/**
 * Sends to the default channel unless `--to` names another. What cannot be sent now stays in the outbox.
 * Rows: the delivery; with `--list` messages; with `--channels` channels. Exit code 1 unless sent or queued.
 */
export const notify: Command = {
  name: 'notify',
  summary: 'Send yourself a message, or list sent messages and channels',
  group: 'Schedules and messages',
  usage: ['notify "TEXT" [--to CHANNEL]', 'notify --list', 'notify --channels'],
  examples: ['notify "The backup is done"', 'notify --list'],
  flags: { to: { type: 'string' }, list: { type: 'boolean' }, channels: { type: 'boolean' } },
  async run(call) {
    if (call.flags.channels === true) return listChannels(call);
    if (call.flags.list === true) return list(call);
    const text = call.args.join(' ').trim();
    if (text === '') throw badUsage('There is no message to send.', 'Usage: notify "TEXT" --to CHANNEL');
    const to = textFlag(call.flags, 'to');
    return report(call, await call.app.schedule.notifier.send({ text, to }, call.signal));
  },
};

function report({ out }: CommandCall, delivery: Delivery): number {
  out.row(delivery);
  const why = delivery.detail ? `: ${delivery.detail}` : '';
  if (delivery.state === 'sent') out.line(`Sent to ${delivery.channel}${why}.`);
  if (delivery.state === 'queued') out.line(notYet(delivery));
  if (delivery.state === 'unknown') out.note(`It may or may not have reached ${delivery.channel}${why}.`);
  if (delivery.state === 'failed') out.note(`Not sent to ${delivery.channel}${why}.`);
  return delivery.state === 'sent' || delivery.state === 'queued' ? 0 : 1;
}

function notYet({ channel, detail }: Delivery): string {
  if (channel === HERE) return 'Nobody is at a prompt: it is shown at the next one.';
  return `Not sent to ${channel} yet${detail ? `: ${detail}` : ''}. The REPL or \`wooster serve\` will try again.`;
}

async function list({ app, out }: CommandCall): Promise<number> {
  const messages = await app.schedule.notifier.recent(LIST_LENGTH);
  for (const message of messages) {
    out.row(message);
    const why = message.detail ? ` (${message.detail})` : '';
    out.line(`${message.at.toISOString()} ${message.channel} ${message.state}${why}: ${preview(message.text, 80)}`);
  }
  if (messages.length === 0) out.line('No messages yet.');
  return 0;
}
