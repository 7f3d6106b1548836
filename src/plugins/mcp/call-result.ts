import { z } from 'zod';
import { headAndTail } from '../../base/text.ts';

/** An image, sound or file in a result, which is saved as an artifact. */
export interface Blob {
  readonly kind: string;
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

/** Saves a blob. @returns a reference to it. */
export type KeepBlob = (blob: Blob) => Promise<string>;

/** Longest text of a result; the gate shows a model less. */
const MAX_TEXT_CHARS = 200_000;
const MAX_BLOCKS = 200;

/** A server's answer to a call, unchecked. */
export const CallAnswer = z.looseObject({
  content: z.array(z.unknown()).default([]).catch([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().default(false).catch(false),
});

const Resource = z.looseObject({
  uri: z.string().default(''),
  mimeType: z.string().default('application/octet-stream').catch('application/octet-stream'),
  text: z.string().optional(),
  blob: z.string().optional(),
});

const Block = z.union([
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string().default('') }),
  z.looseObject({ type: z.literal('resource'), resource: Resource }),
  z.looseObject({ type: z.literal('resource_link'), uri: z.string(), name: z.string().default('') }),
]);

/**
 * A script's view of an answer: the structured content if there is any, otherwise the text.
 *
 * @throws Error with the server's text when the tool has failed.
 */
export async function resultOf(answer: z.output<typeof CallAnswer>, keep: KeepBlob): Promise<unknown> {
  if (answer.isError) throw new Error((await textOf(answer.content, keep)) || 'the tool failed without a word');
  const { structuredContent: structured } = answer;
  if (structured === undefined || structured === null) return textOf(answer.content, keep);
  const json = JSON.stringify(structured);
  if (json.length <= MAX_TEXT_CHARS) return structured;
  throw new Error(`the answer has ${json.length} characters, more than ${MAX_TEXT_CHARS}: ask for less of it`);
}

/** All blocks as one text; blobs are saved elsewhere and referred to by name. */
export async function textOf(content: readonly unknown[], keep: KeepBlob): Promise<string> {
  const texts: string[] = [];
  for (const raw of content.slice(0, MAX_BLOCKS)) {
    const { data: block } = Block.safeParse(raw);
    texts.push(block ? await blockText(block, keep) : '[something that cannot be shown]');
  }
  if (content.length > MAX_BLOCKS) texts.push(`[${content.length - MAX_BLOCKS} more parts were left out]`);
  return headAndTail(texts.filter((text) => text !== '').join('\n'), MAX_TEXT_CHARS);
}

async function blockText(block: z.output<typeof Block>, keep: KeepBlob): Promise<string> {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return keep({ kind: block.type, mimeType: block.mimeType, data: block.data });
    case 'resource_link':
      return `[${block.name || 'resource'}: ${block.uri}]`;
    case 'resource': {
      const { uri, text, blob, mimeType } = block.resource;
      if (text !== undefined) return text;
      return blob === undefined ? `[resource: ${uri}]` : keep({ kind: 'file', mimeType, data: blob });
    }
  }
}
