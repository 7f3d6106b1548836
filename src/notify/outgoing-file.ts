import { AssistantError } from '../base/errors.ts';
import type { Voice } from '../base/turn.ts';
import type { Channel, OutgoingFile } from './channel.ts';
import { inert } from './inert.ts';
import { cleanText } from './split.ts';

/** Nothing that opens these does more than show them. */
const PLAIN = /\.(?:txt|md|csv|tsv|log)$/iu;

/**
 * A file as it may go out. A text has no secrets and, like any message, no links where somebody else may have written
 * it; it is called a text then, so that nothing runs it. What is no text cannot be made harmless.
 *
 * @param voice  who speaks in it; absent: the owner.
 * @throws AssistantError `not_sent` for what is no text and may be somebody else's.
 */
export function harmless(
  { name, bytes }: OutgoingFile,
  voice: Voice | undefined,
  redact: (text: string) => string,
): OutgoingFile {
  const text = textOf(bytes);
  const isOthers = voice?.untrusted === true;
  if (text === undefined && isOthers) {
    throw new AssistantError('not_sent', `${name} was not sent: somebody else may have written it.`, {
      hint: 'It can be opened where it is.',
    });
  }
  if (text === undefined) return { name, bytes };
  const clean = redact(text);
  if (!isOthers) return { name, bytes: clean === text ? bytes : Buffer.from(clean) };
  return { name: PLAIN.test(name) ? name : `${name}.txt`, bytes: Buffer.from(inert(cleanText(clean), voice)) };
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Why a channel does not take a file. */
export function fileRefused({ id, maxFileBytes }: Pick<Channel, 'id' | 'maxFileBytes'>): AssistantError {
  const why = maxFileBytes === undefined ? 'sends no files' : `sends files up to ${maxFileBytes / 1024 / 1024} MB`;
  return new AssistantError('not_sent', `Nothing was sent: ${id} ${why}.`, { hint: 'Tell where the file is instead.' });
}
