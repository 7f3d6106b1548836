import { estimateTokens, MessageCounter, type TextCounter } from './tokens.ts';

/** Models whose tokenizer is known, by name; whatever is behind a provider's prefix counts. */
const ENCODINGS: readonly { readonly models: RegExp; readonly encoding: 'o200k_base' | 'cl100k_base' }[] = [
  { models: /^(?:gpt-4o|gpt-4\.[15]|gpt-5|chatgpt-4o|o[1345](?:-|$)|gpt-oss)/u, encoding: 'o200k_base' },
  { models: /^(?:gpt-4|gpt-3\.5|text-embedding-)/u, encoding: 'cl100k_base' },
];

/** Encoding takes time quadratic in the length of a word: longer ones are counted by their length. */
const LONG_WORD = /[^\s]{200,}/gu;
const CHARS_PER_TOKEN_IN_LONG_WORDS = 2;

/** Finds the counter for a model by name. Each tokenizer is loaded once, from the installed package: no download. */
export function createCounters(): (model: string) => Promise<MessageCounter> {
  const known = new Map<string, Promise<MessageCounter>>();
  const estimate = Promise.resolve(new MessageCounter(estimateTokens));
  return (model) => {
    const encoding = encodingOf(model);
    if (encoding === undefined) return estimate;
    const counter = known.get(encoding) ?? load(encoding).then((count) => new MessageCounter(count));
    known.set(encoding, counter);
    return counter;
  };
}

function encodingOf(model: string): 'o200k_base' | 'cl100k_base' | undefined {
  const name = model.toLowerCase().replace(/^.*\//u, '');
  return ENCODINGS.find(({ models }) => models.test(name))?.encoding;
}

async function load(encoding: 'o200k_base' | 'cl100k_base'): Promise<TextCounter> {
  const [{ Tiktoken }, ranks] = await Promise.all([
    import('js-tiktoken/lite'),
    encoding === 'o200k_base' ? import('js-tiktoken/ranks/o200k_base') : import('js-tiktoken/ranks/cl100k_base'),
  ]);
  const tokenizer = new Tiktoken(ranks.default);
  return (text) => {
    let long = 0;
    const rest = text.replace(LONG_WORD, (word) => {
      long += Math.ceil(word.length / CHARS_PER_TOKEN_IN_LONG_WORDS);
      return ' ';
    });
    return long + tokenizer.encode(rest, [], []).length;
  };
}
