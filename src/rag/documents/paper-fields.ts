import { z } from 'zod';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Store } from '../../store/store.ts';
import type { IngestOptions, Paper } from '../types.ts';
import { papers } from './papers.ts';

/** Under this name the metadata of a document's first passage have the fields that a model quoted from it. */
const FIELDS = 'fields';
const MOST_QUOTED_CHARS = 300;

const quote = z
  .string()
  .max(MOST_QUOTED_CHARS)
  .optional()
  .catch(undefined)
  .meta({ description: 'Verbatim from the document; left out where it has none.' });
const quoted = z.object({
  kind: z.enum(['bill', 'receipt', 'letter', 'other']).optional().catch(undefined),
  sender: quote,
  date: quote,
  deadline: quote,
  total: quote,
});

/** Fields of a letter, a bill or a receipt, each as it is written there. */
export type QuotedFields = z.infer<typeof quoted>;

/** What a model is to answer. */
export const FIELDS_SCHEMA = z.toJSONSchema(quoted, { io: 'input' });

/** Reads the fields of a document. @throws whatever keeps a model from answering. */
export type FieldReader = (request: {
  readonly project: string;
  readonly text: string;
  readonly signal: AbortSignal;
}) => Promise<unknown>;

interface Reading extends Pick<IngestOptions, 'signal' | 'onProgress'> {
  readonly reader: FieldReader;
  readonly log: Log;
}

/** What a model quoted from the document that a passage begins; undefined where none was asked. */
export function quotedFields(metadata: Readonly<Record<string, unknown>> | undefined): QuotedFields | undefined {
  return quoted.safeParse(metadata?.[FIELDS]).data;
}

/**
 * Have a model read the short documents of a project that it has not read yet, and keep what it quotes with them. Where
 * it cannot be asked the rest waits for the next time: by their form they are read in any case.
 */
export async function readFields(store: Store, project: string, { reader, log, ...on }: Reading): Promise<void> {
  const { all } = await papers(store, project);
  const fresh = all.filter(([first]) => quotedFields(first?.metadata) === undefined);
  for (const [done, paper] of fresh.entries()) {
    if (on.signal.aborted) return;
    const [first] = paper;
    if (first === undefined) continue;
    on.onProgress?.({ done, total: fresh.length, file: first.file, stage: 'fields' });
    const text = textOf(paper);
    try {
      const found = verified(await reader({ project, text, signal: on.signal }), text);
      await keep(store, first, found);
    } catch (error) {
      if (!on.signal.aborted) log.warn('documents were not read by a model', { why: messageOf(error) });
      return;
    }
  }
}

function textOf(paper: Paper): string {
  return paper.map(({ heading, text }) => [...heading, text].join('\n')).join('\n');
}

/** What stands in the document; a model may have made up the rest. */
function verified(answer: unknown, text: string): QuotedFields {
  const { kind, ...quotes } = quoted.safeParse(answer).data ?? {};
  const own = onOneLine(text);
  const found = Object.entries(quotes).filter(([, words]) => words !== undefined && own.includes(onOneLine(words)));
  return { ...(kind && { kind }), ...Object.fromEntries(found) };
}

function onOneLine(text: string): string {
  return text.replaceAll(/[\s|]+/gu, ' ').trim();
}

async function keep(store: Store, { chunkId, metadata }: Paper[number], fields: QuotedFields): Promise<void> {
  await store.db
    .updateTable('chunks')
    .set({ metadata: JSON.stringify({ ...metadata, [FIELDS]: fields }) })
    .where('id', '=', chunkId)
    .execute();
}
