import type { ContentBlock, SessionUpdate, ToolCallContent, ToolKind } from '@agentclientprotocol/sdk';
import type { FileChange, TurnEvent } from '../../base/turn.ts';
import type { Tool } from '../../tools/tool.ts';

/** What a client said that it can show, besides the baseline of the protocol. */
export interface Shows {
  readonly notices: boolean;
  readonly compaction: boolean;
}

/** What updates need to know besides the events. */
export interface UpdateParts {
  readonly shows: Shows;
  /** By the name in an event; undefined for a name that no tool has. */
  readonly tool: (name: string) => Tool | undefined;
  /** Tokens that the model's context window holds. */
  readonly window: number;
}

/** No line of a title is longer. */
const TITLE_CHARS = 120;

/**
 * The updates of one turn, in the order of its events.
 *
 * @see https://agentclientprotocol.com/protocol/v1/prompt-turn
 */
export class TurnUpdates {
  readonly #parts: UpdateParts;
  /** The script that is running, by the number of its attempt, and what it has logged. */
  #script: { readonly id: string; readonly source: string; log: string } | undefined;
  #scripts = 0;
  /** Tokens shown since the last `retry`. */
  #said = '';
  /** Counts the messages of the turn: what was shown before a retry is not part of the next one. */
  #message = 1;
  readonly #turnId: string;

  constructor(turnId: string, parts: UpdateParts) {
    this.#turnId = turnId;
    this.#parts = parts;
  }

  of(event: TurnEvent): readonly SessionUpdate[] {
    switch (event.type) {
      case 'token':
      case 'output':
        this.#said += event.text;
        return [this.#chunk(event.text)];
      case 'retry':
        return this.#again(event.reason);
      case 'code':
        return [...this.#scriptEnds('completed'), ...this.#scriptBegins(event)];
      case 'log':
        return this.#logged(event.text);
      case 'call':
        return [this.#call(event)];
      case 'tool':
        return [ended(event)];
      case 'usage':
        return [this.#usage(event)];
      case 'compaction':
        return this.#compacted(event);
      case 'notice':
        return [this.#notice('info', event.text)];
      case 'fallback':
        return [this.#notice('warning', `${event.from} gave way to ${event.to}: ${event.reason}`)];
      case 'claim':
        return [this.#notice('warning', `Nothing that was done supports this: ${event.text}`)];
      case 'error':
        return [...this.#scriptEnds('failed'), this.#notice('error', `${event.message} ${event.hint}`.trim())];
      case 'answer':
        return [...this.#scriptEnds(event.stop === 'failed' ? 'failed' : 'completed'), ...this.#rest(event.text)];
      case 'turn':
      case 'approval':
        // The mode is the session's own; an approval is a request of its own.
        return [];
    }
  }

  #chunk(text: string): SessionUpdate {
    return { sessionUpdate: 'agent_message_chunk', content: textBlock(text), messageId: this.#messageId() };
  }

  #messageId(): string {
    return `${this.#turnId}-${this.#message}`;
  }

  /** The protocol takes nothing back: what follows is another message. */
  #again(reason: string): readonly SessionUpdate[] {
    if (this.#said !== '') this.#message += 1;
    this.#said = '';
    return [this.#notice('info', `Once more: ${reason}`)];
  }

  /** What of the answer was not streamed. */
  #rest(answer: string): readonly SessionUpdate[] {
    const said = this.#said;
    if (answer === '' || said.trim() === answer.trim()) return [];
    if (said !== '' && !answer.startsWith(said)) this.#message += 1;
    const rest = answer.startsWith(said) ? answer.slice(said.length) : answer;
    this.#said = answer;
    return [this.#chunk(rest)];
  }

  #scriptBegins({ attempt, source }: TurnEvent & { type: 'code' }): readonly SessionUpdate[] {
    this.#scripts += 1;
    this.#script = { id: `${this.#turnId}-script-${this.#scripts}`, source, log: '' };
    return [
      {
        sessionUpdate: 'tool_call',
        toolCallId: this.#script.id,
        title: attempt > 1 ? `Script, attempt ${attempt}` : 'Script',
        kind: 'execute',
        status: 'in_progress',
        content: this.#scriptContent(),
      },
    ];
  }

  #logged(text: string): readonly SessionUpdate[] {
    if (!this.#script) return [];
    this.#script.log += `${text}\n`;
    return [{ sessionUpdate: 'tool_call_update', toolCallId: this.#script.id, content: this.#scriptContent() }];
  }

  #scriptContent(): ToolCallContent[] {
    const { source = '', log = '' } = this.#script ?? {};
    const texts = [`\`\`\`js\n${source}\n\`\`\``, ...(log === '' ? [] : [`\`\`\`\n${log}\`\`\``])];
    return texts.map((text) => ({ type: 'content', content: textBlock(text) }));
  }

  #scriptEnds(status: 'completed' | 'failed'): readonly SessionUpdate[] {
    const id = this.#script?.id;
    this.#script = undefined;
    return id === undefined ? [] : [{ sessionUpdate: 'tool_call_update', toolCallId: id, status }];
  }

  #call({ callId, name, input, locations = [] }: TurnEvent & { type: 'call' }): SessionUpdate {
    return {
      sessionUpdate: 'tool_call',
      toolCallId: callId,
      title: titleOf(name, input),
      name,
      kind: kindOf(this.#parts.tool(name)),
      status: 'in_progress',
      rawInput: input,
      locations: locations.map(({ path }) => ({ path })),
    };
  }

  #usage({ inputTokens, outputTokens, costUsd }: TurnEvent & { type: 'usage' }): SessionUpdate {
    return {
      sessionUpdate: 'usage_update',
      used: inputTokens + outputTokens,
      size: this.#parts.window,
      ...(costUsd === undefined ? {} : { cost: { amount: costUsd, currency: 'USD' } }),
    };
  }

  #compacted({ round, before, after, note }: TurnEvent & { type: 'compaction' }): readonly SessionUpdate[] {
    const text = note ?? `Earlier messages were summarised: ${before} tokens became ${after}.`;
    if (!this.#parts.shows.compaction) return [this.#notice('info', text)];
    const compactionId = `${this.#turnId}-compaction-${round}`;
    return [{ sessionUpdate: 'compaction_update', compactionId, status: 'completed', summary: [textBlock(text)] }];
  }

  /** Clients that know no notices show thoughts. */
  #notice(severity: 'info' | 'warning' | 'error', title: string): SessionUpdate {
    if (this.#parts.shows.notices) return { sessionUpdate: 'notice', severity, title };
    return { sessionUpdate: 'agent_thought_chunk', content: textBlock(`${title}\n`) };
  }
}

export function textBlock(text: string): ContentBlock {
  return { type: 'text', text };
}

/** `write_note: buy milk`: the tool, and its longest text. */
export function titleOf(name: string, input: unknown): string {
  const values = typeof input === 'object' && input !== null ? Object.values(input) : [input];
  const texts = values.filter((value): value is string => typeof value === 'string' && value !== '');
  const [first = ''] = texts;
  return `${name}${first === '' ? '' : `: ${first.replace(/\s+/gu, ' ')}`}`.slice(0, TITLE_CHARS);
}

/** How an editor draws a call; it decides nothing. */
export function kindOf(tool: Tool | undefined): ToolKind {
  if (!tool) return 'other';
  const { effect, network, change, query } = tool.policy;
  if (effect === 'none') return query ? 'search' : network ? 'fetch' : 'read';
  if (effect === 'outbound') return 'other';
  return change === 'delete' ? 'delete' : tool.durability.versioned === true ? 'edit' : 'other';
}

function ended({ callId, ok, preview, changes = [] }: TurnEvent & { type: 'tool' }): SessionUpdate {
  const shown: ToolCallContent[] = [{ type: 'content', content: textBlock(preview) }];
  return {
    sessionUpdate: 'tool_call_update',
    toolCallId: callId,
    status: ok ? 'completed' : 'failed',
    content: changes.length > 0 ? changes.map(diffOf) : shown,
  };
}

function diffOf({ path, before, after }: FileChange): ToolCallContent {
  return { type: 'diff', path, ...(before === undefined ? {} : { oldText: before }), newText: after ?? '' };
}
