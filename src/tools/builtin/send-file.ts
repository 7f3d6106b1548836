import { basename } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../base/json.ts';
import type { Notifier } from '../../notify/contract.ts';
import type { Message } from '../../notify/types.ts';
import { defineTool, OUTSIDE, type Source, type Tool, type ToolContext } from '../tool.ts';
import { PATH, PATH_ALIASES } from './file-tool-parts.ts';
import { deliver, deliveryTold, outcome, recipientOn } from './notify.ts';
import type { FileSpace } from './project-files.ts';

export interface SendFileDeps {
  readonly notifier: Notifier;
  /** The files a conversation works on now. */
  spaceOf(conversationId: string): FileSpace;
  anyUntrusted(sources: readonly Source[]): Promise<boolean>;
}

const TIMEOUT_MS = 120_000;
/** The most that any channel takes. */
const MAX_BYTES = 20 * 1024 * 1024;

/** `send_file`: a file to the owner, on the channel on which they asked for it. It keeps the label of its content. */
export function createSendFileTool(deps: SendFileDeps): Tool {
  const { notifier } = deps;
  const channelOf = async ({ turn }: ToolContext) =>
    (await notifier.inbox.channelOf(turn.id)) ?? (await notifier.defaultChannel());
  return defineTool({
    name: 'send_file',
    positional: ['path'],
    aliases: { path: PATH_ALIASES },
    description: 'Send the user a file that exists; write_file makes one.',
    input: z.object({ path: PATH }),
    output: outcome,
    policy: {
      effect: 'outbound',
      network: true,
      recipient: async (_input, context) => recipientOn(await channelOf(context)),
    },
    provenance: { readsFrom: [] },
    durability: { trace: 'outbox' },
    presentation: { offer: () => notifier.sendsFiles(), told: deliveryTold },
    timeoutMs: TIMEOUT_MS,
    execute: async ({ path }, context) => {
      const file = await contentOf(path, deps, context);
      return deliver(notifier, { to: await channelOf(context), text: file.name, file }, context);
    },
  });
}

async function contentOf(
  path: string,
  { spaceOf, anyUntrusted }: SendFileDeps,
  { turn, voiceOf }: ToolContext,
): Promise<NonNullable<Message['file']>> {
  const space = spaceOf(turn.conversationId);
  const bytes = await (space.bytes?.(turn.project, path, MAX_BYTES) ??
    space.read(turn.project, path).then((text) => Buffer.from(text)));
  const place = space.place?.(turn.project, path);
  // What was read is judged, whatever is there now.
  const untrusted = await anyUntrusted([place === undefined ? OUTSIDE : { path: place, sha256: sha256(bytes) }]);
  const name = basename(path);
  if (!untrusted) return { name, bytes };
  return { name, bytes, voice: { ...voiceOf(Buffer.from(bytes).toString('utf8')), untrusted: true } };
}
