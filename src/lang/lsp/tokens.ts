import { SemanticTokensBuilder } from 'vscode-languageserver/node';
import type { Module } from '../check/check.ts';
import type { Use } from '../check/context.ts';
import { type AnyNode, childrenOf } from '../grammar/children.ts';
import { LineMap } from '../grammar/location.ts';
import { scan, type Token } from '../grammar/scan.ts';
import { RESERVED } from '../grammar/unexpected.ts';
import { CONTEXTUAL } from './words.ts';

const TYPES = [
  ...['keyword', 'type', 'function', 'method', 'variable', 'parameter', 'property', 'decorator'],
  ...['string', 'number', 'comment'],
] as const;
type TokenType = (typeof TYPES)[number];

/** `defaultLibrary`: names that no program declares, such as `string` and the assistant's tools. */
const MODIFIERS = ['declaration', 'defaultLibrary'] as const;

export const TOKEN_LEGEND = { tokenTypes: [...TYPES], tokenModifiers: [...MODIFIERS] };

interface Meaning {
  readonly type: TokenType;
  readonly modifier?: (typeof MODIFIERS)[number];
}

/** The semantic tokens of a file, from which editors colour it by meaning instead of by looks. */
export function semanticTokens(module: Module, tools: ReadonlySet<string>): { data: number[] } {
  const lines = new LineMap(module.source);
  const { tokens, comments } = scan(module.source, lines);
  const meanings = meaningsOf(module, tools);
  const builder = new SemanticTokensBuilder();
  const pieces = [
    ...tokens.map((token, index) => ({ ...token, meaning: meaningOf(token, tokens[index - 1], module, meanings) })),
    ...comments.map(({ location: { start, end } }) => {
      return { start: start.offset, end: end.offset, meaning: { type: 'comment' } satisfies Meaning };
    }),
  ];
  // The builder sorts them.
  for (const { start, end, meaning } of pieces) {
    if (meaning) push(builder, { source: module.source, lines, start, end, meaning });
  }
  return builder.build();
}

interface Piece {
  readonly source: string;
  readonly lines: LineMap;
  readonly start: number;
  readonly end: number;
  readonly meaning: Meaning;
}

/** A token of the protocol stays on one line. */
function push(builder: SemanticTokensBuilder, { source, lines, start, end, meaning }: Piece): void {
  const modifiers = meaning.modifier === undefined ? 0 : 1 << MODIFIERS.indexOf(meaning.modifier);
  let at = start;
  for (const line of source.slice(start, end).split('\n')) {
    const { line: number, column } = lines.position(at);
    const length = line.replace(/\r$/u, '').length;
    if (length > 0) builder.push(number - 1, column - 1, length, TYPES.indexOf(meaning.type), modifiers);
    at += line.length + 1;
  }
}

function meaningOf(
  { kind, start, end }: Token,
  before: Token | undefined,
  { source }: Module,
  meanings: ReadonlyMap<number, Meaning>,
): Meaning | undefined {
  if (kind === 'text') return { type: 'string' };
  if (kind === 'number') return { type: 'number' };
  if (kind !== 'word') return undefined;
  const known = meanings.get(start);
  if (known) return known;
  if (before && source.slice(before.start, before.end) === '.') return { type: 'property' };
  const word = source.slice(start, end);
  return RESERVED.has(word) || CONTEXTUAL.has(word) ? { type: 'keyword' } : undefined;
}

/** The meaning of names, by the places where they begin. */
function meaningsOf(module: Module, tools: ReadonlySet<string>): ReadonlyMap<number, Meaning> {
  const found = new Map<number, Meaning>();
  const parameters = new Set<number>();
  const waiting: AnyNode[] = [module.program];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const [part, meaning] = namedPart(node as AnyNode & Parts, tools) ?? [];
    if (part && meaning && !found.has(part.location.start.offset)) found.set(part.location.start.offset, meaning);
    if (node.type === 'FunctionParam' || node.type === 'ParamDeclaration')
      parameters.add((node as AnyNode & Parts).name.location.start.offset);
    waiting.push(...childrenOf(node));
  }
  const types = new Set([...module.facts.typeNames.values()].map(({ location }) => location.start.offset));
  for (const use of module.facts.uses) found.set(use.location.start.offset, meaningOfUse(use, types, parameters));
  for (const { names, path } of module.program.imports) {
    const functions = module.imports.get(path.value)?.exports.functions;
    for (const { name, location } of names)
      found.set(location.start.offset, { type: functions?.has(name) ? 'function' : 'type' });
  }
  return found;
}

function meaningOfUse(
  { location, declared, type }: Use,
  types: ReadonlySet<number>,
  parameters: ReadonlySet<number>,
): Meaning {
  const at = declared.location.start.offset;
  const name = types.has(at) ? 'type' : parameters.has(at) ? 'parameter' : 'variable';
  const meaning: Meaning = { type: type.kind === 'function' ? 'function' : name };
  return location.start.offset === at ? { ...meaning, modifier: 'declaration' } : meaning;
}

/** The parts of nodes that are looked at here. */
interface Parts {
  readonly name: AnyNode & { readonly name: string };
  readonly property: AnyNode;
  readonly key: AnyNode;
  readonly callee: AnyNode & { readonly property?: AnyNode };
  readonly shorthand: boolean;
  readonly errorType?: AnyNode;
}

/** The part of a node that means the same wherever it stands. */
function namedPart(node: AnyNode & Parts, tools: ReadonlySet<string>): readonly [AnyNode, Meaning] | undefined {
  switch (node.type) {
    case 'PrimitiveType':
    case 'ConfidentType':
      return [node, { type: 'type', modifier: 'defaultLibrary' }];
    case 'NamedType':
      return [node, { type: 'type' }];
    case 'TypeField':
      return [node.name, { type: 'property', modifier: 'declaration' }];
    case 'PatternField':
    case 'GuardRule':
      return [node.name, { type: 'property' }];
    case 'Annotation':
      return [node.name, { type: 'decorator' }];
    case 'MemberExpression':
      return [node.property, { type: 'property' }];
    case 'FunctionCallExpression':
      return node.callee.property && [node.callee.property, { type: 'method' }];
    case 'ObjectProperty':
      return node.shorthand ? undefined : [node.key, { type: 'property' }];
    case 'CatchClause':
      return node.errorType && [node.errorType, { type: 'type', modifier: 'defaultLibrary' }];
    default: {
      const isTool = 'name' in node && typeof node.name === 'string' && tools.has(node.name);
      return isTool ? [node, { type: 'function', modifier: 'defaultLibrary' }] : undefined;
    }
  }
}
