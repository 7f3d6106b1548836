import type { ToolSpec } from '../../bound-tools.ts';
import type { ChatMessage, ChatRequest, ToolUse } from '../protocol.ts';
import { type CallForm, markerOf, readCallForm, USUAL_FORM, writeCall } from './call-form.ts';

/** A chat template of a model, as the engine renders it. */
export interface Template {
  render(values: Readonly<Record<string, unknown>>): string;
}

/** Values of a template that are the same for all requests. */
interface Standing {
  readonly bos_token: string;
  readonly eos_token: string;
}

/**
 * Around text of others, which must not pass for the marks of a chat: never sent, since it is taken out of all texts.
 */
const FENCE = '\u{F0000}';

/** A part of the prompt; in a `foreign` one the marks of a chat are only text. */
export interface PromptPart {
  readonly text: string;
  readonly foreign: boolean;
}

export interface ChatFormDeps {
  readonly template: Template;
  readonly standing: Standing;
  /** Whether a text contains what the model would take for a mark of the chat. */
  hasMarks(text: string): boolean;
}

type Style = 'native' | 'plain' | 'folded';

/** How one model wants to be spoken to: by its own template, as far as that goes. */
export class ChatForm {
  readonly calls: CallForm;
  readonly marker: string;
  readonly #deps: ChatFormDeps;
  readonly #style: Style;

  constructor(deps: ChatFormDeps) {
    this.#deps = deps;
    const own = attempt(() => this.#ownForm());
    this.calls = own ?? USUAL_FORM;
    this.marker = markerOf(this.calls);
    this.#style = own ? 'native' : this.#takesSystem() ? 'plain' : 'folded';
  }

  /** The prompt of a request, ready for the reply. */
  prompt({ messages, tools, think = false }: Pick<ChatRequest, 'messages' | 'tools' | 'think'>): PromptPart[] {
    const said =
      this.#style === 'native'
        ? messages
        : withoutCalls(declared(messages, tools), this.calls, this.#style === 'folded');
    const rendered = this.#render(said, { tools: this.#style === 'native' ? tools : [], think });
    return rendered
      .split(FENCE)
      .map((text, index) => ({ text, foreign: index % 2 === 1 }))
      .filter(({ text }) => text !== '');
  }

  /** What the template makes of calls; undefined where it does not tell of tools, or cannot write calls. */
  #ownForm(): CallForm | undefined {
    const tool = { name: 'zqtool', description: 'zqabout', parameters: { type: 'object', properties: {} } };
    const user: ChatMessage = { role: 'user', content: 'zqask' };
    const said: ChatMessage = { role: 'assistant', content: 'zqsaid' };
    const after = (calls: readonly ToolUse[]) => {
      const conversation = [SYSTEM, user, { ...said, ...(calls.length > 0 ? { calls } : {}) }];
      return this.#render(conversation, { tools: [tool], ends: true }).split('zqsaid')[1] ?? '';
    };
    if (!this.#render([SYSTEM, user], { tools: [tool] }).includes('zqabout')) return undefined;
    const closing = after([]);
    const form = readCallForm((calls) => {
      const text = after(calls);
      return text.endsWith(closing) ? text.slice(0, text.length - closing.length) : '';
    });
    const results = [1, 2].map((): ChatMessage => ({ role: 'tool', content: 'zqresult', name: 'zqtool' }));
    const call = { name: 'zqtool', arguments: {} };
    const whole = this.#render([SYSTEM, user, { ...said, calls: [call, call] }, ...results], { tools: [tool] });
    return whole.includes('zqresult') ? form : undefined;
  }

  #takesSystem(): boolean {
    return attempt(() => this.#render([SYSTEM, { role: 'user', content: 'x' }], {}))?.includes(SYSTEM.content) ?? false;
  }

  #render(
    messages: readonly ChatMessage[],
    { tools = [], think = false, ends = false }: { tools?: readonly ToolSpec[]; think?: boolean; ends?: boolean },
  ): string {
    const fenced = (text: string) => this.#fenced(text);
    return this.#deps.template.render({
      ...this.#deps.standing,
      messages: messages.map((message) => asTemplateMessage(message, fenced)),
      ...(tools.length > 0
        ? { tools: tools.map((tool) => ({ type: 'function', function: eachText(tool, fenced) })) }
        : {}),
      add_generation_prompt: !ends,
      enable_thinking: think,
    });
  }

  #fenced(text: string): string {
    const clean = text.replaceAll(FENCE, '');
    return this.#deps.hasMarks(clean) ? `${FENCE}${clean}${FENCE}` : clean;
  }
}

const SYSTEM: ChatMessage = { role: 'system', content: 'zqsystem' };

function asTemplateMessage({ role, content, calls, name }: ChatMessage, fenced: (text: string) => string) {
  const tool_calls = calls?.map((call, index) => ({
    // Some templates insist on nine characters.
    ...{ id: `call${String(index).padStart(5, '0')}`, type: 'function' },
    function: { name: call.name, arguments: eachText(call.arguments, fenced) },
  }));
  return {
    role,
    content: fenced(content),
    ...(tool_calls ? { tool_calls } : {}),
    ...(role === 'tool' ? { name, tool_call_id: 'call00000' } : {}),
  };
}

function eachText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => eachText(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [change(key), eachText(inner, change)]));
}

/** The tools in words, after the system prompt. */
function declared(messages: readonly ChatMessage[], tools: readonly ToolSpec[]): ChatMessage[] {
  if (tools.length === 0) return [...messages];
  const about = toolsInWords(tools, writeCall(USUAL_FORM, { name: 'NAME', arguments: { ARGUMENT: 'VALUE' } }));
  const [first, ...rest] = messages;
  if (first?.role !== 'system') return [{ role: 'system', content: about }, ...messages];
  return [{ ...first, content: `${first.content}\n\n${about}` }, ...rest];
}

function toolsInWords(tools: readonly ToolSpec[], example: string): string {
  const list = tools.map((tool) => JSON.stringify({ type: 'function', function: tool })).join('\n');
  return `# Tools\n\nYou may call these functions:\n<tools>\n${list}\n</tools>\n\nTo call one, write only:\n${example}`;
}

/** Calls and results as text, for a template that knows neither; one turn each, as such templates want it. */
function withoutCalls(messages: readonly ChatMessage[], form: CallForm, folded: boolean): ChatMessage[] {
  const plain = messages.map(({ role, content, calls = [] }): ChatMessage => {
    const written = calls.map((call) => writeCall(form, call));
    if (role === 'assistant') return { role, content: [content, ...written].filter(Boolean).join('\n') };
    if (role === 'tool') return { role: 'user', content: `<tool_response>\n${content}\n</tool_response>` };
    return { role: folded ? 'user' : role, content };
  });
  const kept: ChatMessage[] = [];
  for (const message of plain) {
    const last = kept.at(-1);
    if (last?.role === message.role) kept.splice(-1, 1, { ...last, content: `${last.content}\n\n${message.content}` });
    else kept.push(message);
  }
  return kept;
}

function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
