import type { StopReason, Usage } from '../../base/turn.ts';

/** One event of a stream as it is written. */
export interface SentEvent {
  readonly event?: string;
  readonly data: string;
}

/** How a turn ended. */
export interface Ended {
  readonly text: string;
  readonly stop: StopReason;
  readonly usage: Usage;
}

/** Why there is no answer. */
export interface Trouble {
  readonly code: string;
  readonly message: string;
}

/** How an answer is written to the client: whole, or piece by piece. */
export interface Shape {
  whole(ended: Ended): object;
  begin(): readonly SentEvent[];
  delta(text: string): readonly SentEvent[];
  /** @param ended its text is all that was sent. */
  end(ended: Ended): readonly SentEvent[];
  trouble(trouble: Trouble): readonly SentEvent[];
}

/** What an answer is an answer to. */
export interface ShapeOf {
  /** Of the turn, without its prefix. */
  readonly key: string;
  readonly model: string;
  /** In seconds. */
  readonly created: number;
}

/** The answer is complete; a client is told of one that is not. */
const isWhole = ({ stop }: Pick<Ended, 'stop'>): boolean => stop === 'answered';

/** @see https://platform.openai.com/docs/api-reference/chat-streaming */
export class ChatShape implements Shape {
  readonly #of: ShapeOf;
  readonly #withUsage: boolean;

  constructor(of: ShapeOf, withUsage: boolean) {
    this.#of = of;
    this.#withUsage = withUsage;
  }

  whole(ended: Ended): object {
    const message = { role: 'assistant', content: ended.text, refusal: null };
    return {
      ...this.#head('chat.completion'),
      choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(ended) }],
      usage: usageOf(ended.usage),
    };
  }

  begin(): readonly SentEvent[] {
    return [this.#choice({ role: 'assistant', content: '' })];
  }

  delta(text: string): readonly SentEvent[] {
    return [this.#choice({ content: text })];
  }

  end(ended: Ended): readonly SentEvent[] {
    const usage = { ...this.#head('chat.completion.chunk'), choices: [], usage: usageOf(ended.usage) };
    return [this.#choice({}, finishOf(ended)), ...(this.#withUsage ? [asData(usage)] : []), DONE];
  }

  trouble({ code, message }: Trouble): readonly SentEvent[] {
    return [asData({ error: { code, message, type: 'invalid_request_error', param: null } }), DONE];
  }

  #choice(delta: object, finish_reason: string | null = null): SentEvent {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason }];
    return asData({ ...this.#head('chat.completion.chunk'), choices, ...(this.#withUsage && { usage: null }) });
  }

  #head(object: string) {
    const { key, model, created } = this.#of;
    return { id: `chatcmpl-${key}`, object, created, model };
  }
}

/** @see https://platform.openai.com/docs/api-reference/responses-streaming */
export class ResponseShape implements Shape {
  readonly #of: ShapeOf & { readonly conversation: string | undefined };
  #sequence = 0;

  constructor(of: ShapeOf & { readonly conversation: string | undefined }) {
    this.#of = of;
  }

  whole(ended: Ended): object {
    const whole = isWhole(ended);
    return {
      ...this.#response(whole ? 'completed' : 'incomplete', [this.#item('completed', [part(ended.text)])]),
      incomplete_details: whole ? null : { reason: 'max_output_tokens' },
      usage: responseUsageOf(ended.usage),
    };
  }

  begin(): readonly SentEvent[] {
    const response = this.#response('in_progress', []);
    return [
      this.#event('response.created', { response }),
      this.#event('response.in_progress', { response }),
      this.#event('response.output_item.added', { output_index: 0, item: this.#item('in_progress', []) }),
      this.#event('response.content_part.added', { ...this.#place(), part: part('') }),
    ];
  }

  delta(text: string): readonly SentEvent[] {
    return [this.#event('response.output_text.delta', { ...this.#place(), delta: text, logprobs: [] })];
  }

  end(ended: Ended): readonly SentEvent[] {
    const { text } = ended;
    const type = isWhole(ended) ? 'response.completed' : 'response.incomplete';
    return [
      this.#event('response.output_text.done', { ...this.#place(), text, logprobs: [] }),
      this.#event('response.content_part.done', { ...this.#place(), part: part(text) }),
      this.#event('response.output_item.done', { output_index: 0, item: this.#item('completed', [part(text)]) }),
      this.#event(type, { response: this.whole(ended) }),
    ];
  }

  /** An `error` event: `response.failed` is read as success by one of the readers. */
  trouble({ code, message }: Trouble): readonly SentEvent[] {
    return [this.#event('error', { code, message, param: null })];
  }

  #event(type: string, fields: object): SentEvent {
    const sequence_number = this.#sequence;
    this.#sequence += 1;
    return { event: type, data: JSON.stringify({ type, sequence_number, ...fields }) };
  }

  #place() {
    return { item_id: `msg_${this.#of.key}`, output_index: 0, content_index: 0 };
  }

  #item(status: string, content: readonly object[]) {
    return { id: `msg_${this.#of.key}`, type: 'message', status, role: 'assistant', content };
  }

  #response(status: string, output: readonly object[]) {
    const { key, model, created, conversation } = this.#of;
    return {
      ...{ id: `resp_${key}`, object: 'response', created_at: created, status, model, output },
      ...{ error: null, incomplete_details: null, instructions: null, metadata: {}, usage: null },
      ...{ parallel_tool_calls: false, tool_choice: 'none', tools: [], temperature: null, top_p: null },
      conversation: conversation === undefined ? null : { id: conversation },
    };
  }
}

const DONE: SentEvent = { data: '[DONE]' };
const asData = (value: object): SentEvent => ({ data: JSON.stringify(value) });
const finishOf = (ended: Ended) => (isWhole(ended) ? 'stop' : 'length');
const part = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });

function usageOf({ inputTokens, outputTokens, cachedTokens }: Usage) {
  return {
    ...{ prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens },
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}

function responseUsageOf({ inputTokens, outputTokens, cachedTokens }: Usage) {
  return {
    ...{ input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: inputTokens + outputTokens },
    ...{ input_tokens_details: { cached_tokens: cachedTokens }, output_tokens_details: { reasoning_tokens: 0 } },
  };
}
