import { z } from 'zod';
import { AssistantError, type Told } from '../../base/errors.ts';
import { loadExamples } from '../../base/examples.ts';
import type { ChannelDescriptor } from '../../notify/channel.ts';
import { findChannel, REMOTE_CHANNELS, toolNameOf } from '../../notify/channels.ts';
import type { Notifier } from '../../notify/contract.ts';
import { HERE, isHere } from '../../notify/routes.ts';
import type { Delivery, Message } from '../../notify/types.ts';
import type { CutOffOutcome } from '../gate/cut-off-effects.ts';
import { defineTool, OutcomeUnknown, type Recipient, type Tool, type ToolContext } from '../tool.ts';

const MAX_TEXT_CHARS = 20_000;
/** Longer than the slowest channel's own deadline. */
const TIMEOUT_MS = 60_000;
export const outcome = z.object({
  sent: z.boolean(),
  /** The channel. */
  via: z.string(),
  /** It is sent as soon as the channel can be reached. */
  queued: z.literal(true).optional(),
  detail: z.string().optional().meta({ seldom: true }),
});
type Outcome = z.output<typeof outcome>;
const TEXT_ALIASES = ['message', 'msg', 'content', 'body'];
const text = z.string().trim().min(1).max(MAX_TEXT_CHARS);
const toChannel = z.string().trim().min(1).optional();

/**
 * `notify` and one tool per channel: messages to the owner. A channel's own tool is offered where several are set up.
 * A result says "sent" only if the channel confirmed it.
 */
export function createNotifyTools(notifier: Notifier): Tool[] {
  const configured = notifier.configured();
  const isChoice = REMOTE_CHANNELS.filter(({ id }) => configured.includes(id)).length > 1;
  return [
    defineTool({
      name: 'notify',
      positional: ['text', 'to'],
      aliases: { text: TEXT_ALIASES, to: ['channel', 'recipient'] },
      description: 'Message the user now; for later use schedule.',
      input: z.object({
        text,
        to: isChoice ? toChannel.describe(configured.join(', ')) : toChannel.meta({ seldom: true }),
      }),
      output: outcome,
      policy: {
        effect: 'outbound',
        network: true,
        recipient: async ({ to }) => recipientOn(to ?? (await notifier.defaultChannel())),
      },
      provenance: { readsFrom: [] },
      durability: { trace: 'outbox' },
      presentation: { examples: loadExamples(import.meta.dirname, 'notify')('notify'), told: deliveryTold },
      timeoutMs: TIMEOUT_MS,
      execute: ({ text: body, to }, context) => deliver(notifier, { to, text: body }, context),
    }),
    ...REMOTE_CHANNELS.map((channel) => {
      const others = REMOTE_CHANNELS.filter(({ id }) => id !== channel.id && configured.includes(id));
      return channelTool(notifier, channel, configured.includes(channel.id) && others.length > 0);
    }),
  ];
}

/** Whether a tool is one of these: it reaches nobody but the owner. */
export function tellsOwner({ name }: Pick<Tool, 'name'>): boolean {
  return name === 'notify' || name === 'send_file' || REMOTE_CHANNELS.some((channel) => toolNameOf(channel) === name);
}

/** `<id>_notify`: for one channel alone, since models find a tool by its name sooner than a value for `to`. */
function channelTool(notifier: Notifier, channel: ChannelDescriptor, isOffered: boolean): Tool {
  return defineTool({
    name: toolNameOf(channel),
    positional: ['text'],
    aliases: { text: TEXT_ALIASES },
    description: `Send the user a message now on ${channel.label}, if they name it; else use notify.`,
    input: z.object({ text }),
    output: outcome,
    policy: { effect: 'outbound', network: true, recipient: () => recipientOn(channel.id) },
    provenance: { readsFrom: [] },
    durability: { trace: 'outbox' },
    presentation: { offer: () => isOffered, told: deliveryTold },
    timeoutMs: TIMEOUT_MS,
    execute: ({ text: body }, context) => deliver(notifier, { to: channel.id, text: body }, context),
  });
}

/** A name that no channel has reaches nobody: the notifier refuses it, so there is nothing to ask about. */
export function recipientOn(channel: string): Recipient {
  return { channel: isHere(channel) ? HERE : channel, address: 'owner', own: findChannel(channel)?.own ?? true };
}

/** Send what a call sends, in its name. */
export async function deliver(
  notifier: Notifier,
  given: Pick<Message, 'to' | 'text' | 'file'>,
  context: ToolContext,
): Promise<Outcome> {
  const { turn, idempotencyKey } = context;
  const message = { ...given, voice: context.voiceOf(given.text), turnId: turn.id, idempotencyKey };
  try {
    return outcomeOf(await notifier.send(message, context.signal));
  } catch (error) {
    if (!(error instanceof AssistantError) || error.code !== 'unknown_channel') throw error;
    const { code, message: what, hint } = error;
    const whom = `This tool reaches the user alone: ${notifier.configured().join(', ')}.`;
    throw new AssistantError(code, `${what} ${whom}`, { hint, cause: error });
  }
}

/** What became of a call that was cut off. A message in the outbox is sent by the next program that runs. */
export async function messageOutcome(
  notifier: Pick<Notifier, 'outcome'>,
  idempotencyKey: string,
): Promise<CutOffOutcome> {
  const delivery = await notifier.outcome(idempotencyKey);
  if (!delivery || delivery.state === 'failed') return { state: 'undone' };
  if (delivery.state === 'unknown') return { state: 'unknown' };
  const why = delivery.detail ? ` (${delivery.detail})` : '';
  const { channel } = delivery;
  const text = delivery.state === 'sent' ? `Sent to ${channel}.` : `Not sent yet: queued for ${channel}${why}.`;
  return { state: 'done', text };
}

/** What became of a message. @throws Error where it was not sent, or nobody knows. */
function outcomeOf({ channel, state, detail }: Delivery): Outcome {
  const why = detail ? ` (${detail})` : '';
  if (state === 'sent') return { sent: true, via: channel };
  if (state === 'queued') return { sent: false, via: channel, queued: true, ...(detail && { detail }) };
  if (state === 'unknown') throw new OutcomeUnknown(`it is unknown whether the message reached ${channel}${why}`);
  throw new Error(`the message was not sent to ${channel}${why}`);
}

export function deliveryTold({ queued, detail }: Outcome): Told {
  return { code: queued ? 'queued' : 'sent', values: { why: detail ? ` (${detail})` : '' } };
}
