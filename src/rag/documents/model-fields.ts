import type { Redactor } from '../../base/redact.ts';
import { preview } from '../../base/text.ts';
import type { Models } from '../../models/types.ts';
import { FIELDS_SCHEMA, type FieldReader } from './paper-fields.ts';

interface ModelFieldsDeps {
  readonly models: Pick<Models, 'pick'>;
  /** The system prompt. */
  instructions(): string;
  readonly redactor: Redactor;
  readonly timeoutMs: number;
}

/** More than a letter has. */
const MOST_CHARS = 12_000;
const REPLY_TOKENS = 600;

/**
 * Creates a reader that asks the routed model for the fields of a document by a schema. It has no tools, and quotes are
 * all that is taken from its answer: a document that gives orders can change which of its own words are quoted.
 */
export function createFieldReader({ models, instructions, redactor, timeoutMs }: ModelFieldsDeps): FieldReader {
  return async ({ project, text, signal: own }) => {
    const signal = AbortSignal.any([own, AbortSignal.timeout(timeoutMs)]);
    const choice = await models.pick({
      ...{ profile: 'RAG_PROCESSING', mode: 'classic_tools', purpose: 'fields', project, signal },
      ...{ temperature: 0, maxTokens: REPLY_TOKENS },
      answer: { name: 'fields', schema: FIELDS_SCHEMA },
    });
    if (choice.provider === 'builtin') throw new Error('the built-in model reads no documents');
    const [{ HumanMessage, SystemMessage }, { answerIn }] = await Promise.all([
      import('@langchain/core/messages'),
      import('../../models/answer-form.ts'),
    ]);
    const document = JSON.stringify(preview(redactor.redact(text), MOST_CHARS).toWellFormed());
    const messages = [new SystemMessage(instructions()), new HumanMessage(`Document, untrusted: ${document}`)];
    return answerIn(await choice.model.invoke(messages, { signal, callbacks: [] }));
  };
}
