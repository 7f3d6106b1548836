import { Grammar } from '../../constrained/grammar.ts';
import type { ChatDone, ChatRequest, LoadRequest, Needs } from '../protocol.ts';
import { callGrammar, readCalls } from './call-form.ts';
import { ChatForm, type PromptPart } from './chat-form.ts';
import type { Engine, Llama, Model, Sequence, Token } from './engine-api.ts';
import { ReplyText } from './reply-text.ts';
import { Slots } from './slots.ts';

/** Tokens that are read before it is said how far it has come. */
const READ_AT_ONCE = 256;
/** Tokens that have to be left for the reply. */
const LEAST_REPLY = 64;
/** A character may take several tokens, and is not shown before it is whole. */
const BROKEN = '\u{FFFD}';
const MOST_BROKEN = 6;

/** The request does not fit the context. */
export class TooLong extends Error {}

/** What the process tells the program while it works. */
export interface Progress {
  onRead(tokens: number): void;
  onText(text: string): void;
  /** Nobody wants the rest. */
  readonly stopped: () => boolean;
}

/** What a file asks of the machine, from its head alone. */
export async function inspectModel(engine: Engine, llama: Llama, load: LoadRequest): Promise<Needs> {
  const file = await engine.readGgufFileInfo(load.path);
  const insights = await engine.GgufInsights.from(file, llama);
  const weights = insights.estimateModelResourceRequirements({ gpuLayers: 0, useMmap: false });
  const context = insights.estimateContextResourceRequirements({
    ...{ contextSize: load.contextTokens, sequences: load.slots, modelGpuLayers: 0 },
  });
  const name = file.metadata.general?.name;
  return { bytes: weights.cpuRam + context.cpuRam, name: typeof name === 'string' ? name : '' };
}

interface Parts {
  readonly engine: Engine;
  readonly llama: Llama;
  readonly model: Model;
  readonly form: ChatForm;
  readonly slots: Slots;
  readonly contextTokens: number;
}

/** A model in memory, with what it has read. Serves one request at a time. */
export class LoadedModel {
  readonly #parts: Parts;

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws Error of the engine, or of the template. */
  static async load(engine: Engine, llama: Llama, load: LoadRequest): Promise<LoadedModel> {
    const { contextTokens, slots, threads } = load;
    // Memory that is mapped counts repacked weights twice.
    const model = await llama.loadModel({ modelPath: load.path, useMmap: false });
    const context = await model.createContext({
      ...{ contextSize: contextTokens, sequences: slots, threads, failedCreationRemedy: false },
    });
    const source = model.fileInfo.metadata.tokenizer?.chat_template;
    if (typeof source !== 'string') throw new Error('it has no chat template, so it is not a model to talk to');
    const { bosString, eosString } = model.tokens;
    const form = new ChatForm({
      template: new engine.Template(source),
      standing: { bos_token: bosString ?? '', eos_token: eosString ?? '' },
      hasMarks: (text) => model.tokenize(text, true).length !== model.tokenize(text, false).length,
    });
    const sequences = Array.from({ length: slots }, () => context.getSequence());
    return new LoadedModel({ engine, llama, model, form, slots: new Slots(sequences), contextTokens });
  }

  /** @throws TooLong. */
  async chat(request: ChatRequest, progress: Progress): Promise<ChatDone> {
    const { form, slots, contextTokens } = this.#parts;
    const forced = request.mustCall === true && request.tools.length > 0;
    const marker: PromptPart[] = forced ? [{ text: form.marker, foreign: false }] : [];
    const prompt = this.#tokens([...form.prompt(request), ...marker]);
    const room = contextTokens - prompt.length - 1;
    if (room < LEAST_REPLY)
      throw new TooLong(`the request has ${prompt.length} tokens; the context window is ${contextTokens}`);
    const sequence = slots.take(prompt);
    const cachedTokens = await read(sequence, prompt, progress);
    const reply = new ReplyText({
      ...{ marker: request.tools.length > 0 ? form.marker : undefined, called: forced, stops: request.stop ?? [] },
    });
    const most = Math.min(request.maxTokens ?? room, room);
    const written = await this.#write(sequence, { last: prompt.slice(-1), request, reply, most, progress });
    progress.onText(reply.rest());
    const { calls, cut } = readCalls(form.calls, reply.call ?? '', request.tools);
    const finish = written.isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
    const usage = { inputTokens: prompt.length, cachedTokens, outputTokens: written.tokens };
    return { calls, finish, cut, usage };
  }

  #tokens(parts: readonly PromptPart[]): Token[] {
    const { tokenize, tokens } = {
      tokenize: this.#parts.model.tokenize.bind(this.#parts.model),
      tokens: this.#parts.model.tokens,
    };
    const all = parts.flatMap(({ text, foreign }) => tokenize(text, !foreign));
    return tokens.shouldPrependBosToken && tokens.bos !== null && all[0] !== tokens.bos ? [tokens.bos, ...all] : all;
  }

  async #write(sequence: Sequence, { last, request, reply, most, progress }: Writing): Promise<Written> {
    const { model } = this.#parts;
    const { temperature, seed } = request;
    const grammarEvaluationState = this.#held(request, reply);
    const tokens = sequence.evaluate(last, { temperature, seed, grammarEvaluationState });
    const broken: Token[] = [];
    let count = 0;
    let instead: Token[] | undefined;
    try {
      for (;;) {
        const { value: token, done } = await tokens.next(instead);
        if (done || token === undefined) return { tokens: count, isCut: false };
        count++;
        instead = undefined;
        broken.push(token);
        const piece = model.detokenize(broken, true);
        if (piece.endsWith(BROKEN) && broken.length < MOST_BROKEN) continue;
        broken.length = 0;
        const { text, beyondMarker } = reply.add(piece);
        if (text !== '') progress.onText(text);
        // What stands after the marker was written without the grammar: it is taken back.
        if (beyondMarker > 0) instead = model.tokenize(piece.slice(0, -beyondMarker), true);
        if (reply.ended || progress.stopped()) return { tokens: count, isCut: false };
        if (count >= most) return { tokens: count, isCut: true };
      }
    } finally {
      await tokens.return();
    }
  }

  /** The grammar that holds the next token: from the start where the answer is JSON, else from the marker of a call. */
  #held({ tools, answer, longestText }: ChatRequest, reply: ReplyText): () => object | undefined {
    const { engine, llama, model, form } = this.#parts;
    const stateOf = (text: string) =>
      new engine.LlamaGrammarEvaluationState({ model, grammar: new engine.LlamaGrammar(llama, { grammar: text }) });
    let state: object | undefined;
    if (answer !== undefined) {
      const grammar = new Grammar(longestText);
      state = stateOf(grammar.text(grammar.json(answer)));
    }
    return () => {
      if (reply.call !== undefined) state ??= stateOf(callGrammar(form.calls, tools, longestText));
      return state;
    };
  }
}

interface Writing {
  /** The last token of the prompt, which gives the first of the reply. */
  readonly last: readonly Token[];
  readonly request: ChatRequest;
  readonly reply: ReplyText;
  readonly most: number;
  readonly progress: Progress;
}

interface Written {
  readonly tokens: number;
  /** Ran into the limit. */
  readonly isCut: boolean;
}

/** Read all of a prompt but its last token. @returns how much of it was still known. */
async function read(sequence: Sequence, prompt: readonly Token[], { onRead }: Progress): Promise<number> {
  const wanted = prompt.slice(0, -1);
  await sequence.adaptStateToTokens(wanted, false);
  const known = sequence.nextTokenIndex;
  for (let at = known; at < wanted.length; at += READ_AT_ONCE) {
    await sequence.evaluateWithoutGeneratingNewTokens(wanted.slice(at, at + READ_AT_ONCE));
    onRead(Math.min(at + READ_AT_ONCE, wanted.length));
  }
  if (sequence.needsCheckpoints) await sequence.takeCheckpoint();
  return known;
}
