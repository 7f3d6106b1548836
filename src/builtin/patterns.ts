import type { Taught } from '../base/examples.ts';
import { ordersOf } from './german-orders.ts';
import type { Element, Pattern } from './pattern.ts';
import { tokensOf } from './tokens.ts';

/** More ways than these come of no sentence that a person wrote. */
const MOST_WAYS = 128;
const GROUP = /\(([^()[\]]*)\)|\[([^()[\]]*)\]/u;
/** A choice between single words needs no ways of its own. */
const ONE_WORD = /^[\p{L}\p{N}'’-]+$/u;

/** All ways of saying an example, each once. */
export function patternsOf(taught: Taught): readonly Pattern[] {
  const found = new Map<string, Pattern>();
  for (const language of ['en', 'de'] as const)
    for (const sentence of taught[language])
      for (const way of waysOf(sentence))
        for (const elements of language === 'de' ? ordersOf(way) : [way])
          found.set(JSON.stringify([language, elements]), { taught, language, sentence, elements });
  return [...found.values()];
}

/** The ways in which a sentence with `(a|b c)` and `[d]` can be said; a choice between single words is one element. */
export function waysOf(sentence: string): readonly (readonly Element[])[] {
  let ways: readonly { readonly done: readonly Element[]; readonly rest: string }[] = [{ done: [], rest: sentence }];
  while (ways.some(({ rest }) => rest !== '') && ways.length <= MOST_WAYS)
    ways = ways.flatMap(({ done, rest }) => {
      const [whole, choice, optional] = GROUP.exec(rest) ?? [];
      const index = whole === undefined ? rest.length : rest.indexOf(whole);
      const before = [...done, ...plainElements(rest.slice(0, index))];
      const after = rest.slice(index + (whole?.length ?? 0));
      const choices = (choice ?? optional ?? '').split('|');
      if (whole === undefined) return [{ done: before, rest: '' }];
      if (choices.every((each) => ONE_WORD.test(each)))
        return [{ done: [...before, anyOf(choices, choice === undefined)], rest: after }];
      return [...(choice === undefined ? [''] : []), ...choices].map((each) => {
        return { done: [...before, ...plainElements(each)], rest: after };
      });
    });
  return ways.slice(0, MOST_WAYS).map(({ done }) => done);
}

/**
 * One way in which a sentence can be said, with something for each of its gaps: of a choice what is preferred, else the
 * first, and what may be left out only where it is preferred.
 */
export function oneWay(
  sentence: string,
  fill: (slot: string) => string,
  isPreferred: (choice: string) => boolean = () => false,
): string {
  let way = sentence;
  while (GROUP.test(way))
    way = way.replace(GROUP, (_, choice?: string, optional?: string) => {
      const choices = (choice ?? optional ?? '').split('|');
      return choices.find(isPreferred) ?? (choice === undefined ? '' : (choices[0] ?? ''));
    });
  return way
    .replace(/\{([^{}]+)\}/gu, (_, slot: string) => fill(slot))
    .replace(/\s+/gu, ' ')
    .trim();
}

function anyOf(choices: readonly string[], optional: boolean): Element {
  return { words: choices.flatMap((each) => tokensOf(each).map(({ word }) => word)), optional };
}

function plainElements(text: string): readonly Element[] {
  return text
    .split(/(\{[^{}]+\})/u)
    .flatMap((part): Element[] =>
      part.startsWith('{')
        ? [{ slot: part.slice(1, -1) }]
        : tokensOf(part).flatMap(({ word }) => (word === '' ? [] : [{ words: [word], optional: false }])),
    );
}
