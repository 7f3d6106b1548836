import type { SignatureHelp } from 'vscode-languageserver/node';
import type { Module } from '../check/check.ts';
import { type FunctionType, showType } from '../check/types.ts';
import { LineMap } from '../grammar/location.ts';
import { scan, type Token } from '../grammar/scan.ts';
import { docOf } from './lookup.ts';

/** The forms that ask a model, with what stands between their brackets. */
const FORMS: ReadonlyMap<string, { readonly params: readonly string[]; readonly doc: string }> = new Map(
  Object.entries({
    think: { params: ['prompt: string'], doc: 'Ask the model; its answer has the type T.' },
    infer: { params: ['value', 'hint: string?'], doc: 'Take a T out of a value.' },
    agent: { params: ['prompt: string'], doc: 'Let the model work with tools until it has a T.' },
    batch: { params: ['items', 'fn'], doc: 'Call a function with each item.' },
    map_think: { params: ['items', 'prompt: string'], doc: 'Ask the model about each item; a list of T.' },
    reduce_think: { params: ['items', 'prompt: string'], doc: 'Let the model bring a list down to one T.' },
  }),
);

/** The signature of the call around an offset, and which argument is being written. */
export function signatureAt(module: Module, offset: number): SignatureHelp | null {
  const call = callAround(module.source, offset);
  if (!call) return null;
  const form = FORMS.get(call.name);
  if (form) return helpFor(`${call.name}<T>`, form.params, { doc: form.doc, active: call.argument });
  const fn = functionCalled(module, call.name);
  if (!fn?.type.params) return null;
  const params = fn.type.params.map(({ name, type }) => `${name}: ${showType(type)}`);
  const result = `: ${showType(fn.type.result)}`;
  return helpFor(call.name, params, { doc: fn.doc, result, active: call.argument });
}

function helpFor(
  name: string,
  params: readonly string[],
  { doc, result = '', active }: { doc: string | undefined; result?: string; active: number },
): SignatureHelp {
  const signature = {
    label: `${name}(${params.join(', ')})${result}`,
    parameters: params.map((label) => ({ label })),
    ...(doc !== undefined && { documentation: doc }),
  };
  return { signatures: [signature], activeSignature: 0, activeParameter: active };
}

function functionCalled(module: Module, name: string): { type: FunctionType; doc: string | undefined } | undefined {
  const use = module.facts.uses.findLast(({ declared, type }) => declared.name === name && type.kind === 'function');
  for (const { names, path } of module.program.imports) {
    const other = names.some((each) => each.name === name) ? module.imports.get(path.value) : undefined;
    const there = other && functionCalled(other, name);
    if (there) return there;
  }
  if (use?.type.kind !== 'function') return undefined;
  return { type: use.type, doc: docOf({ module, location: use.declared.location }) };
}

/** Scans backwards from an offset, since an unfinished call is not a statement yet. */
function callAround(source: string, offset: number): { name: string; argument: number } | undefined {
  const text = (token: Token | undefined) => (token ? source.slice(token.start, token.end) : '');
  const tokens = scan(source, new LineMap(source)).tokens.filter(({ end }) => end <= offset);
  let [depth, argument] = [0, 0];
  for (let at = tokens.length - 1; at >= 0; at--) {
    const mark = text(tokens[at]);
    if (tokens[at]?.kind !== 'mark') continue;
    if (')]}'.includes(mark)) depth++;
    else if (mark === ',' && depth === 0) argument++;
    else if ('([{'.includes(mark) && depth-- === 0) {
      const name = mark === '(' ? nameBefore(tokens, at, text) : '';
      return name === '' ? undefined : { name, argument };
    }
  }
  return undefined;
}

/** The name before the bracket, skipping the `<T>` of a form. */
function nameBefore(tokens: readonly Token[], bracket: number, text: (token: Token | undefined) => string): string {
  let at = bracket - 1;
  if (text(tokens[at]) === '>') {
    for (let depth = 0; at >= 0; at--) {
      if (text(tokens[at]) === '>') depth++;
      else if (text(tokens[at]) === '<' && --depth === 0) break;
    }
    at--;
  }
  const isDeclared = ['fn', 'tool'].includes(text(tokens[at - 1]));
  return tokens[at]?.kind === 'word' && text(tokens[at - 1]) !== '.' && !isDeclared ? text(tokens[at]) : '';
}
