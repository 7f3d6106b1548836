import { z } from 'zod';

/** A request to a model, independent of the protocol. */
export interface SampleRequest {
  readonly system: string | undefined;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
}

/** Asks a model, within the budget and the project's privacy settings. */
export type Sample = (request: SampleRequest) => Promise<{ readonly text: string; readonly model: string }>;

const Content = z.looseObject({ type: z.literal('text'), text: z.string().max(100_000) });

const Params = z.looseObject({
  systemPrompt: z.string().max(20_000).optional(),
  messages: z
    .array(z.looseObject({ role: z.enum(['user', 'assistant']), content: z.union([Content, z.array(Content)]) }))
    .min(1)
    .max(100),
  maxTokens: z.number().optional(),
});

/** Estimated characters per token. */
const TOKEN_CHARS = 4;

/** Serve a sampling request. @throws Error whose message the server reads. */
export async function answerSampling(params: unknown, sample: Sample): Promise<unknown> {
  const { data } = Params.safeParse(params);
  if (!data) throw new Error('only requests with texts are answered');
  const messages = data.messages.map(({ role, content }) => ({
    role,
    text: [content]
      .flat()
      .map(({ text }) => text)
      .join('\n'),
  }));
  const { text, model } = await sample({ system: data.systemPrompt, messages });
  const most = (data.maxTokens ?? Number.POSITIVE_INFINITY) * TOKEN_CHARS;
  const isCut = text.length > most;
  return {
    role: 'assistant',
    model,
    content: { type: 'text', text: isCut ? text.slice(0, most) : text },
    stopReason: isCut ? 'maxTokens' : 'endTurn',
  };
}
