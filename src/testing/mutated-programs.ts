// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are programs of the language, which has templates.
import { checkSource } from '../lang/check/check.ts';
import type { CodeEntry } from '../lang/diagnostics/code-entry.ts';
import { CODES } from '../lang/diagnostics/codes.ts';
import { renderDiagnostic } from '../lang/diagnostics/render.ts';
import { printProgram } from '../lang/format/format.ts';
import { parse } from '../lang/grammar/parse.ts';

const ENTRIES: readonly CodeEntry[] = Object.values(CODES);
/** Programs to start from: the examples of the codes have every construct that can be wrong. */
const SEEDS = ENTRIES.flatMap(({ example }) => (example ? [example.wrong, example.right] : [])).concat([
  'import { a, B } from "./b"\n/// d\ntool t(x: string, y: B?[]): int @description("d") { try { return 1 } catch Timeout (e) { print e } }\n',
  'let r = agent<A>("x") with tools: t, u with context: { a, b.c } max turns: 3 guard { length: 1..5 n: 0 .. 1 } on_fail: retry(2) then fallback(x)\n',
  'print reason<A> { goal: "g" steps: 1. "a" 2. `b ${c}` without context: { d } }\nfor i in 1..3 { if i > 2 { break } else if a { continue } else { x = [1, 2,] } }\n',
  'print match a.b[0](c, { d: 1, e }) { { f: >= 0.8, g: "h" } => 1 -1 => 2 _ => a |> think<int>("x") |> f }\ntest "t" replay("x") { assert.semantic(a, "b") assert 1 == 2 }\n',
]);
const PIECES =
  '( ) [ ] { } < > " \' ` ${ } // /* */ /// @ . .. , : ; = == => != |> || && ! - + * / % ? | \\ \n \t \r \0 \ud800 é 😀 let print fn type tool if else for in while return think<A>("x") agent match with context: guard on_fail: retry(2) test assert import from 1 1.5 1. .5 a _ true null'.split(
    ' ',
  );

/** Numbers from a seed, the same each time. @see Steele 2014, "Fast splittable pseudorandom number generators" */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % below;
  };
}

/** A program with a few things cut, doubled, put in and moved; the same for the same number. */
export function mutatedProgram(seed: number): string {
  const random = numbers(seed);
  const pick = <Item>(items: readonly Item[]) => items[random(items.length)] as Item;
  let text = pick(SEEDS);
  if (random(3) === 0) text += pick(SEEDS);
  for (let left = 1 + random(6); left > 0; left -= 1) {
    const at = random(text.length + 1);
    const end = Math.min(text.length, at + 1 + random(12));
    const kind = random(5);
    if (kind === 0) text = text.slice(0, at) + text.slice(end);
    else if (kind === 1) text = text.slice(0, end) + text.slice(at);
    else if (kind === 2) text = text.slice(0, at);
    else text = text.slice(0, at) + pick(PIECES).repeat(kind === 3 ? 1 : 1 + random(40)) + text.slice(at);
  }
  return text;
}

/** Read, check, show and print a text: whatever it is, each of them gives something. @throws Error where one does not. */
export function tryProgram(text: string): void {
  const read = () => '';
  const { main } = checkSource(text, 'fuzz.tl', { read, tools: [] });
  const lines = text.split('\n').length;
  for (const each of main.diagnostics) {
    const { start } = each.location;
    if (!(start.line >= 1 && start.line <= lines && start.column >= 1 && start.offset <= text.length))
      throw new Error(`a place outside the text: ${JSON.stringify(each)}`);
    if (!renderDiagnostic(each, text).startsWith(`fuzz.tl:${start.line}:${start.column}: `))
      throw new Error(`no place shown: ${JSON.stringify(each)}`);
  }
  const { program, diagnostics } = parse(text);
  if (diagnostics.length > 0) return;
  const printed = printProgram(program, text);
  const again = parse(printed);
  if (again.diagnostics.length > 0) throw new Error(`printed, it cannot be read:\n${printed}`);
  if (printProgram(again.program, printed) !== printed) throw new Error(`printed again, it differs:\n${printed}`);
}
