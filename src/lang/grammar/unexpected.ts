import type { DiagnosticCode } from '../diagnostics/codes.ts';
import { firstAt } from './recover.ts';
import type { Token } from './scan.ts';

/** What the generated parser could have gone on with. */
export interface Expectation {
  readonly type: string;
  /** Of a `literal`. */
  readonly text?: string;
  /** Of a named rule (`other`). */
  readonly description?: string;
}

export interface Failure {
  readonly position: number;
  readonly expected: readonly Expectation[];
  /** The statement is in a block whose beginning was skipped. */
  readonly inBlock: boolean;
}

/** A syntax error, described. */
export interface SyntaxProblem {
  readonly code: DiagnosticCode;
  /** Offsets of what was found. */
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly hint: string | undefined;
  /** Without it, nothing is wrong. */
  readonly superfluous?: boolean;
}

/** Words that cannot be names. */
export const RESERVED: ReadonlySet<string> = new Set(
  (
    'type fn let print think infer match try catch if else true false null Confident string int float bool test ' +
    'assert import from tool agent batch map_think reduce_think return'
  ).split(' '),
);

/** Operators of other languages. */
const FOREIGN: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ';': 'a statement ends with its line: leave the semicolon out',
    '=': 'to compare, write `==`',
    '===': 'to compare, write `==`',
    '?': 'there is no `? :` here: use `match` or `if`',
    '=>': 'a function has a name here: `fn name(x: int): int { return x }`',
  }),
);

/** Say what was found where something else was expected. */
export function describeFailure(source: string, tokens: readonly Token[], failure: Failure): SyntaxProblem {
  const token = tokens[firstAt(tokens, failure.position)];
  const start = token?.start ?? source.trimEnd().length;
  const end = token?.end ?? Math.min(start + 1, source.length);
  const text = source.slice(start, end);
  const expected = inWords(failure.expected);
  const place = { start, end };
  if (token?.kind === 'mark' && ')]}'.includes(text) && expected.includes('a statement') && !failure.inBlock) {
    return {
      ...place,
      code: 'TL1013',
      message: `nothing is open that \`${text}\` could close`,
      hint: 'remove it',
      superfluous: true,
    };
  }
  if (RESERVED.has(text) && expected.length === 1 && expected[0] === 'a name') {
    const hint = `choose another name, such as \`my_${text}\``;
    return { ...place, code: 'TL1010', message: `\`${text}\` is a reserved word and cannot be a name`, hint };
  }
  const message = `expected ${listed(expected)}, found ${token ? foundWords(token, text) : 'the end of the file'}`;
  return { ...place, code: 'TL1001', message, hint: hintFor(text, expected), superfluous: text === ';' };
}

function foundWords(token: Token, text: string): string {
  if (token.kind === 'text') return 'a text';
  return `\`${text.length > 40 ? `${text.slice(0, 40)}…` : text}\``;
}

function hintFor(text: string, expected: readonly string[]): string | undefined {
  if (text === '=' && expected.includes('`:`')) return 'write `name: value`';
  // A declaration without its name compares nothing.
  if (text === '=' && expected.includes('a name')) return undefined;
  return FOREIGN.get(text);
}

const STARTS_EXPRESSION = new Set(['string', 'number', 'variable', 'think', '(', '[', '{', '`', '!', '-', 'match']);
/** What may follow any expression, and so says nothing about what is missing. */
const GOES_ON = new Set([
  ...['operator', '-', '..', '|>', '.', '(', '[', 'with', 'without', 'max', 'concurrency', 'cost_budget', 'batch_size'],
  ...['on_error', 'on_fail', 'on', 'guard', '=', '"?"', '?', '|', 'blank', 'text', 'reserved word'],
]);
const NAMES: Readonly<Record<string, string>> = {
  name: 'a name',
  'field name': 'the name of a field',
  'type name': 'a type',
  number: 'a number',
  string: 'a text',
  variable: 'an expression',
};

/** The expectations, reduced to a few readable alternatives. */
function inWords(expectations: readonly Expectation[]): string[] {
  const all = new Set(
    expectations.map(({ type, text, description }) => (type === 'literal' ? text : description) ?? ''),
  );
  for (const each of ['', 'uncertain']) all.delete(each);
  if (all.has('let') && all.has('print')) return all.has('}') ? ['a statement', '`}`'] : ['a statement'];
  const words = new Set<string>();
  if (all.has('variable')) {
    words.add('an expression');
    for (const each of [...STARTS_EXPRESSION, ...EXPRESSION_WORDS]) all.delete(each);
  }
  if (all.has('type name')) {
    words.add('a type');
    for (const each of ['type name', 'Confident', 'string', 'int', 'float', 'bool', 'null', '(']) all.delete(each);
  }
  const telling = [...all].filter((each) => !GOES_ON.has(each));
  for (const each of telling.length + words.size > 0 ? telling : all) words.add(NAMES[each] ?? `\`${each}\``);
  return [...words];
}

const EXPRESSION_WORDS = [
  ...['infer', 'reason', 'agent', 'batch', 'map_think', 'reduce_think', 'true', 'false', 'null'],
];

function listed(words: readonly string[]): string {
  if (words.length === 0) return 'something else';
  const shown = words.slice(0, 5);
  const last = shown.pop();
  return shown.length > 0 ? `${shown.join(', ')} or ${last}` : `${last}`;
}
