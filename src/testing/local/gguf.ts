import { randomFillSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';

/**
 * GGUF files without training, small enough for tests.
 *
 * @see https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
 */

const TYPES = { u32: 4, i32: 5, f32: 6, bool: 7, str: 8 } as const;
type Kind = keyof typeof TYPES;

interface Tensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

/** The head of a file: metadata in the order in which it is added. */
class Head {
  readonly #parts: Buffer[] = [];
  #count = 0;

  value(key: string, kind: Kind, value: string | number | boolean): this {
    this.#count++;
    this.#text(key);
    this.#u32(TYPES[kind]);
    this.#write(kind, value);
    return this;
  }

  list(key: string, kind: Kind, values: readonly (string | number)[]): this {
    this.#count++;
    this.#text(key);
    this.#u32(9);
    this.#u32(TYPES[kind]);
    this.#u64(values.length);
    for (const each of values) this.#write(kind, each);
    return this;
  }

  file(tensors: readonly Tensor[]): Buffer {
    let offset = 0;
    for (const { name, dims, data } of tensors) {
      this.#text(name);
      this.#u32(dims.length);
      for (const each of dims) this.#u64(each);
      this.#u32(0);
      this.#u64(offset);
      offset += aligned(data.byteLength);
    }
    const start = Buffer.alloc(24);
    start.write('GGUF');
    start.writeUInt32LE(3, 4);
    start.writeBigUInt64LE(BigInt(tensors.length), 8);
    start.writeBigUInt64LE(BigInt(this.#count), 16);
    const head = Buffer.concat([start, ...this.#parts]);
    const body = tensors.map(({ data }) => padded(Buffer.from(data.buffer)));
    return Buffer.concat([padded(head), ...body]);
  }

  #write(kind: Kind, value: string | number | boolean): void {
    if (kind === 'str') {
      this.#text(String(value));
      return;
    }
    const part = Buffer.alloc(kind === 'bool' ? 1 : 4);
    if (kind === 'bool') part.writeUInt8(value ? 1 : 0);
    else if (kind === 'f32') part.writeFloatLE(Number(value));
    else part.writeInt32LE(Number(value));
    this.#parts.push(part);
  }

  #text(text: string): void {
    const bytes = Buffer.from(text);
    this.#u64(bytes.length);
    this.#parts.push(bytes);
  }

  #u32(value: number): void {
    const part = Buffer.alloc(4);
    part.writeUInt32LE(value);
    this.#parts.push(part);
  }

  #u64(value: number): void {
    const part = Buffer.alloc(8);
    part.writeBigUInt64LE(BigInt(value));
    this.#parts.push(part);
  }
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / 32) * 32;
}

function padded(part: Buffer): Buffer {
  return Buffer.concat([part, Buffer.alloc(aligned(part.length) - part.length)]);
}

/** Words of a model: marks of the chat, the 256 bytes, and what else is wanted. */
class Vocabulary {
  readonly tokens: string[] = ['<unk>', '<s>', '</s>', '<|im_start|>', '<|im_end|>'];
  readonly types: number[] = [2, 3, 3, 3, 3];

  constructor() {
    for (let byte = 0; byte < 256; byte++) this.#add(`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`, 6);
  }

  /** The number of a word, which is added where it is new. */
  id(word: string): number {
    const known = this.tokens.indexOf(word);
    return known < 0 ? this.#add(word, 4) : known;
  }

  #add(word: string, type: number): number {
    this.types.push(type);
    return this.tokens.push(word) - 1;
  }
}

const END = 4;
/** The byte for a line break, with which every prompt ends. */
const LINE_BREAK = 5 + 10;
const WIDTH = 128;
const HIDDEN = 64;

function head(name: string, { tokens, types }: Vocabulary, template: string | undefined): Head {
  const made = new Head()
    .value('general.architecture', 'str', 'llama')
    .value('general.name', 'str', name)
    .value('general.file_type', 'u32', 0)
    .value('llama.block_count', 'u32', 1)
    .value('llama.context_length', 'u32', 8192)
    .value('llama.embedding_length', 'u32', WIDTH)
    .value('llama.feed_forward_length', 'u32', HIDDEN)
    .value('llama.attention.head_count', 'u32', 4)
    .value('llama.attention.head_count_kv', 'u32', 4)
    .value('llama.rope.dimension_count', 'u32', 32)
    .value('llama.attention.layer_norm_rms_epsilon', 'f32', 1e-6)
    .value('llama.vocab_size', 'u32', tokens.length)
    .value('tokenizer.ggml.model', 'str', 'llama')
    .list('tokenizer.ggml.tokens', 'str', tokens)
    .list(
      'tokenizer.ggml.scores',
      'f32',
      tokens.map(() => 0),
    )
    .list('tokenizer.ggml.token_type', 'i32', types)
    .value('tokenizer.ggml.bos_token_id', 'u32', 1)
    .value('tokenizer.ggml.eos_token_id', 'u32', END)
    .value('tokenizer.ggml.unknown_token_id', 'u32', 0)
    .value('tokenizer.ggml.add_bos_token', 'bool', false)
    .value('tokenizer.ggml.add_space_prefix', 'bool', false);
  return template === undefined ? made : made.value('tokenizer.chat_template', 'str', template);
}

/** Weights that leave the embedding of a word as it is. */
function unchanged(words: number): Tensor[] {
  const zero = (count: number) => new Float32Array(count);
  const one = (count: number) => new Float32Array(count).fill(1);
  const square = ['q', 'k', 'v', 'output'].map((part) => ({
    ...{ name: `blk.0.attn_${part}.weight`, dims: [WIDTH, WIDTH], data: zero(WIDTH * WIDTH) },
  }));
  return [
    { name: 'token_embd.weight', dims: [WIDTH, words], data: signs(words * WIDTH) },
    { name: 'blk.0.attn_norm.weight', dims: [WIDTH], data: one(WIDTH) },
    ...square,
    { name: 'blk.0.ffn_norm.weight', dims: [WIDTH], data: one(WIDTH) },
    { name: 'blk.0.ffn_gate.weight', dims: [WIDTH, HIDDEN], data: zero(WIDTH * HIDDEN) },
    { name: 'blk.0.ffn_up.weight', dims: [WIDTH, HIDDEN], data: zero(WIDTH * HIDDEN) },
    { name: 'blk.0.ffn_down.weight', dims: [HIDDEN, WIDTH], data: zero(WIDTH * HIDDEN) },
    { name: 'output_norm.weight', dims: [WIDTH], data: one(WIDTH) },
  ];
}

/** +1 and -1 without a pattern, the same each time. */
function signs(count: number): Float32Array {
  let state = 7;
  return Float32Array.from({ length: count }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32 < 0.5 ? -1 : 1;
  });
}

/**
 * A model that goes from word to word as it is told: the last word alone decides which is next. Where two chains
 * continue the same word, the later one wins.
 *
 * @param says  what it says after the prompt, word by word, each word a token of its own that occurs once.
 * @param then  what it says after a word of the prompt's end, such as a result.
 */
export function writeScripted(
  path: string,
  says: readonly string[],
  { template = CHATML, chains = [], endless = false }: ScriptedOptions = {},
): void {
  const words = new Vocabulary();
  const next = new Map<number, number>();
  const link = (ids: readonly number[]) => {
    for (const [index, id] of ids.slice(0, -1).entries()) next.set(id, ids[index + 1] ?? END);
  };
  const said = says.map((word) => words.id(word));
  link([LINE_BREAK, ...said, endless ? (said[0] ?? END) : END]);
  for (const chain of chains) link([...chain.map((word) => words.id(word)), END]);
  const count = words.tokens.length;
  const tensors = unchanged(count);
  const embedding = tensors[0]?.data ?? new Float32Array();
  const output = new Float32Array(count * WIDTH);
  for (const [from, to] of next) {
    for (let index = 0; index < WIDTH; index++) {
      output[to * WIDTH + index] = (output[to * WIDTH + index] ?? 0) + (embedding[from * WIDTH + index] ?? 0) / 2;
    }
  }
  const weights = { name: 'output.weight', dims: [WIDTH, count], data: output };
  writeFileSync(path, head('scripted', words, template ?? undefined).file([...tensors, weights]));
}

export interface ScriptedOptions {
  /** Null for a file without one. */
  readonly template?: string | null;
  readonly chains?: readonly (readonly string[])[];
  /** It begins again instead of ending. */
  readonly endless?: boolean;
}

/** A model that knows nothing: every word is as likely as any other. */
export function writeRandom(path: string, template = CHATML): void {
  const words = new Vocabulary();
  for (const word of ['<tool_call>', '</tool_call>']) words.id(word);
  for (let code = 33; code < 127; code++) words.id(String.fromCharCode(code));
  const count = words.tokens.length;
  const noise = new Float32Array(count * WIDTH);
  randomFillSync(new Uint8Array(noise.buffer));
  for (const [index] of noise.entries()) noise[index] = Math.sin(index * 12.9898) / 10;
  const weights = { name: 'output.weight', dims: [WIDTH, count], data: noise };
  writeFileSync(path, head('random', words, template).file([...unchanged(count), weights]));
}

const TOOLS =
  '# Tools\\n\\nYou may call one or more functions.\\n<tools>{% for tool in tools %}\\n{{ tool | tojson }}{% endfor %}\\n</tools>\\n\\n' +
  'For each call, return a json object within <tool_call></tool_call>.';

/** A chat template in the form of Qwen3's. */
export const CHATML = [
  "{%- if messages[0].role == 'system' %}{{- '<|im_start|>system\\n' + messages[0].content }}",
  `{%- if tools %}{{- '\\n\\n' }}${TOOLS.replaceAll('\\n', '\n')}{%- endif %}{{- '<|im_end|>\\n' }}`,
  `{%- elif tools %}{{- '<|im_start|>system\\n' }}${TOOLS.replaceAll('\\n', '\n')}{{- '<|im_end|>\\n' }}{%- endif %}`,
  '{%- for message in messages %}',
  "{%- if message.role == 'user' or (message.role == 'system' and not loop.first) %}",
  "{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}",
  "{%- elif message.role == 'assistant' %}{{- '<|im_start|>assistant\\n' + message.content }}",
  '{%- if message.tool_calls %}{%- for call in message.tool_calls %}',
  "{%- if (loop.first and message.content) or not loop.first %}{{- '\\n' }}{%- endif %}",
  '{{- \'<tool_call>\\n{"name": "\' + call.function.name + \'", "arguments": \' }}{{- call.function.arguments | tojson }}',
  "{{- '}\\n</tool_call>' }}{%- endfor %}{%- endif %}{{- '<|im_end|>\\n' }}",
  "{%- elif message.role == 'tool' %}",
  "{%- if loop.first or messages[loop.index0 - 1].role != 'tool' %}{{- '<|im_start|>user' }}{%- endif %}",
  "{{- '\\n<tool_response>\\n' + message.content + '\\n</tool_response>' }}",
  "{%- if loop.last or messages[loop.index0 + 1].role != 'tool' %}{{- '<|im_end|>\\n' }}{%- endif %}",
  '{%- endif %}{%- endfor %}',
  "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}",
  "{%- if enable_thinking is defined and enable_thinking is false %}{{- '<think>\\n\\n</think>\\n\\n' }}{%- endif %}{%- endif %}",
].join('');
