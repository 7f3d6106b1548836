import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { completing } from '../embed/provider.ts';
import type { CompleteOptions } from '../models/providers/completing.ts';
import { openCommands } from '../testing/commands.ts';
import { StandIn } from '../testing/stand-in.ts';

/** The programs that fail on the answers of the fake model, and how. */
const FAILS: readonly (readonly [string, string])[] = [
  ['{ length: 50..200 } on_fail: retry(3)\nprint s', 'GuardFailed: The guard length failed: wanted 50..200, got 6'],
  ['@pattern("^a")', 'SchemaViolation'],
];

const T = 'type R { a: string b: int }\ntype S { label: string score: float }\n';
/** Each program checks without errors, and runs to its end on the answers of the fake model. */
const PROGRAMS = [
  'let a=1 let b=2 print a + b',
  'let x = think<string>("Say hello in a creative way")\nprint x',
  'type Sentiment {\n  @description("The label")\n  label: string\n  @range("0..1")\n  intensity: float\n  explanation: string\n}\nlet review = "great"\nlet s = think<Sentiment>("Classify")\n  with context: review\nprint s',
  'type Address { street: string city: string }\ntype Person { name: string age: int? address: Address? }\ntype People { @maxItems(10) people: Person[] summary: string }\nlet t = "x"\nlet r = think<People>("Extract") with context: { t, }\nprint r.people\nprint r',
  T +
    'let r = think<Confident<R>>("x")\nprint r\nprint r.isConfident(0.5)\nprint r.or({ a: "", b: 0 })\nprint r.confidence\nprint r.reasoning\nprint r.value',
  `${T}let uncertain r = think<R>("x")\nlet s = r.unwrap()\nlet safe = r.expect(0.8)\nprint s print safe`,
  `${T}let a = infer<int>("2024")\nlet d = infer<string>("Jan 5th", "an ISO date")\nprint a print d`,
  `${T}let x = "t"\nlet r = think<R>("a") with context: x |> think<S>("b")\nprint r`,
  `${T}let x = "t"\nlet r = "some text"\n  |> think<R>("a")\n  |> think<S>("b")\nprint r`,
  T +
    'let m = { p: 1 }\nlet a = reason<R> {\n  goal: "g"\n  steps:\n    1. "one"\n    2. "two"\n  with context: { m }\n}\nprint a',
  T +
    'let m = { p: 1 }\nlet a = reason<R> {\n  goal: "g"\n  steps:\n    1. "one"\n  with context: m\n  without context: m.p\n  guard { length: 1..10 }\n  on_fail: retry(2) then fallback({ a: "", b: 1 })\n}\nprint a',
  'let s = think<string>("x") guard { length: 50..200 } on_fail: retry(3)\nprint s',
  'let s = think<string>("x")\n  guard {\n    length: 50..200\n    contains_none: ["bad", "worse"]\n  }\n  on_fail: retry(3) then fallback("none")\nprint s',
  'fn check(s: string): bool { print s }\nlet s = think<string>("x") guard { passes: check }\nprint s',
  T +
    'let s = think<Confident<S>>("x")\nlet r = match s {\n  { confidence: >= 0.9 } => "high"\n  { confidence: >= 0.5 } => "mid"\n  _ => "low"\n}\nprint r',
  `${T}let s = think<S>("x")\nlet r = match s.label {\n  "a" => 1\n  "b" => 2\n  _ => 3\n}\nprint r`,
  T +
    'let s = think<S>("x")\nprint match s { { label: "a", score: > 0.5 } => think<string>("y") { label: != "q" } => "z" _ => null }',
  T +
    'try {\n  let s = think<S>("x")\n  print s\n} catch SchemaViolation (e) {\n  print e.message\n} catch ConfidenceTooLow (e) {\n  print e\n}',
  'try { let s = think<string>("x") print s } catch ThinkError(err) { print "failed" }',
  'let user = { name: "A", ssn: "1" }\nlet r = think<string>("x") with context: { user } without context: { user.ssn }\nprint r',
  'let user = { name: "A", ssn: "1" }\nlet r = think<string>("x") with context: { user.name, } without context: user.ssn\nprint r',
  'tool fetchPrice(ticker: string): float @description("price") {\n  print "fetching"\n}\ntool news(q: string): string[] @description("n") { print q }\nlet r = agent<string>("x") with tools: fetchPrice, news max turns: 5\nprint r',
  T +
    'tool t(q: string): string @description("d") { print q }\nlet r = agent<R>("x")\n  with tools: t\n  with context: { x: 1 }\n  max turns: 5\n  guard { confidence: 0.7..1.0 }\n  on_fail: retry(2) then fallback({ a: "", b: 0 })\nprint r.a',
  'type Rep { findings: string[] recommendations: string[] confidence: float }\ntool s(q: string): string @description("d") { print q }\nlet r = agent<Rep>("x") with tools: s max turns: 5 guard { confidence: 0.7..1.0 } on_fail: retry(2)\nprint r.findings\nprint r.recommendations',
  `${T}let items = ["a", "b"]\nlet r = map_think<S>(items, "Classify") concurrency: 3\nprint r`,
  T +
    'let items = ["a", "b"]\nlet r = map_think<S>(items, "Classify") concurrency: 3 cost_budget: 0.50 with context: { items }\nprint r',
  `${T}let items = ["a", "b"]\nlet r = reduce_think<R>(items, "Sum") batch_size: 3\nprint r`,
  T +
    'let items = ["a"]\nfn f(i: string): S { let s = think<S>(i) print s }\nlet r = batch<S>(items, f) concurrency: 2 cost_budget: 1.0 on_error: fail_fast\nprint r',
  `${T}fn f(i: string) { print i }\nlet r = batch<S>(["a"], f) on_error: continue\nprint r`,
  'let r = 1..5\nprint r\nprint r.start',
  'if 1 > 2 { print "a" } else { print "b" }',
  'if true && !false || null == null { print -1 }',
  'let o = { a: 1, b: [1, 2, 3], c: { d: null }, }\nprint o.c.d',
  'let xs: int[] = []\nprint xs',
  'let x: string? = null\nprint x',
  'let x: string | int = "a"\nprint x',
  'let x: (string | int)[] = ["a", 1]\nprint x',
  'let f: float = 1\nprint f',
  'test "a" {\n  let s = think<string>("x")\n  assert s != ""\n  assert.semantic(s, "is polite")\n}',
  'test mode: replay("snap.json") "b" { assert true }',
  'test "b" replay("snap.json") { assert true }',
  'test mode: snapshot("x.json") "c" { assert 1 == 1 }',
  '// c\n/* block\n comment */\nlet s = \'single "quoted"\'\nprint s',
  'let s = "multi\nline \\n \\t \\\\ \\" x"\nprint s',
  'let n = 007\nprint n',
  'type E {}\nlet e = think<E>("x")\nprint e',
  'type N { children: N[] m: M[] }\ntype M { n: N? }\nlet n = think<N>("x")\nprint n.children',
  'type A { tags: string[]? opt: string?[] nested: string[][] u: string | null }\nlet a = think<A>("x")\nprint a.tags',
  'type K { type: string from: string test: int match: bool }\nlet k = think<K>("x")\nprint k.type\nprint { type: 1, from: 2 }',
  'fn greet(name: string): string {\n  let g = think<string>("Greet") with context: name\n  print g\n}\ngreet("Bob")',
  'fn a(x: int, y: int): int { return x + y }\nprint a(1, 2) * 2 - 3 / 4 % 5',
  'let goal = 1 let steps = 2 let context = 3 let max = 4 let turns = 5 let mode = 6 let guard = 7 let reason = 8 let on_fail = 9 let without = 1 let uncertain = 2\nprint goal + steps + context + max + turns + mode + guard + reason + on_fail + without + uncertain',
  'let x = think<int>("x")\nprint x + 1',
  'print think<string>("a")\n  |> think<string>("b")\n  |> think<string>("c")',
  'let s: Confident<string> = think<Confident<string>>("x")\nlet m = s.map(up)\nfn up(t: string): string { return t }\nprint m.unwrap()',
  'let r = think<string[]>("x")\nprint r[0]\nprint r.length',
  'let a = think<bool>("x")\nif a { print 1 }',
  'let d = think<string | int>("x")\nprint d',
  'let x = think<string?>("x")\nprint x',
  'type Q { @minItems(1) @maxItems(3) xs: string[] @minLength(2) @maxLength(9) @pattern("^a") s: string }\nprint think<Q>("x")',
  'let uncertain x = infer<int>("7")\nprint x.confidence\nlet uncertain y = reason<string> { goal: "g" steps: 1. "a" }\nprint y.or("none")\ntool t(): string { return "x" }\nlet uncertain z = agent<string>("g") with tools: t\nprint z.unwrap()',
  'print [1, 2,]\nprint "a" +\n  "b"',
  'let x = 5\nfor i in [1,2] { while x > 0 { x = x - 1 if x == 2 { break } else if x == 3 { continue } } }',
  'let p = { name: "x" }\nlet r = think<string>("hi") with context: p.name\nprint r',
  'let r = agent<string>("p") with context: { a: 1 } without context: { a } max turns: 3\nprint r',
  'let r = think<string>("hi") on_fail: retry(2) guard { length: 1 .. 9 }\nprint r',
  'fn noReturn(): string { print "x" }\nlet v = noReturn()\nprint v',
  'let r = batch<string>(["a"], think1)\nfn think1(i: string): string { return think<string>(i) }\nprint r',
  'let r = think<string>("x") with context: { a: 1, b: "two" }\nprint r',
  'let user = { a: { b: 1 } }\nlet r = think<string>("x") with context: { user.a.b, user.a }\nprint r',
  'print think<Confident<int>>("n").unwrap(0.5)',
];

/** Written by `UPDATE_FORMS=1 npx vitest run src/lang/forms.test.ts`; read it before you commit it. */
const RECORD = join(import.meta.dirname, '../testing/forms-tl.json');

interface Ran {
  readonly code: number;
  readonly lines: readonly string[];
  readonly notes: readonly string[];
  /** What was sent, each request as one text. */
  readonly requests: readonly string[];
}

/** All programs in one home, since opening a home is what takes time. */
async function runAll(mode: 'classic_tools' | 'code_agent', programs: readonly string[]): Promise<Ran[]> {
  const { run, app, home } = await openCommands({ replies: [], session: { mode } });
  const model = new StandIn();
  app.models.registerProvider('scripted', completing(model));
  const file = join(home, 'form.tl');
  const all: Ran[] = [];
  for (const source of programs) {
    model.requests.length = 0;
    writeFileSync(file, source);
    const { code, lines, notes } = await run(['think', 'run', file]);
    all.push({
      code,
      lines,
      notes: notes.map((note) => note.replaceAll(home, '')),
      requests: model.requests.map(sent),
    });
  }
  return all;
}

/** A request as one text, without an agent's prompt, which contains the date. */
function sent({ systemPrompt, ...request }: CompleteOptions): string {
  return JSON.stringify(systemPrompt.startsWith('You answer for a program') ? { systemPrompt, ...request } : request);
}

const isOneMode = (source: string) => source.includes('agent<');
const BOTH = PROGRAMS.filter((source) => !isOneMode(source));
let classic: Ran[] = [];
let code: Ran[] = [];

test('all programs are run', async () => {
  classic = await runAll('classic_tools', PROGRAMS);
  code = await runAll('code_agent', BOTH);
  expect(classic).toHaveLength(PROGRAMS.length);
}, 120_000);

test.each(PROGRAMS.map((source, index) => [source, index] as const))('runs: %s', (source, index) => {
  const ran = classic[index];
  const [, failed] = FAILS.find(([part]) => source.includes(part)) ?? [];
  if (failed === undefined) expect([ran?.code, ran?.notes.filter((note) => note.includes('error'))]).toEqual([0, []]);
  else expect([ran?.code, ran?.notes.join()]).toEqual([1, expect.stringContaining(failed)]);
  expect(ran?.notes.join()).not.toMatch(/ {4}at /u);
  const asks = /\b(?:think|infer|reason|agent|map_think|reduce_think)</u.test(source);
  expect((ran?.requests.length ?? 0) > 0).toBe(asks && !source.startsWith('test '));
});

test('every request and every line is, byte by byte, what it was', () => {
  const seen = Object.fromEntries(PROGRAMS.map((source, index) => [source, classic[index]]));
  if (process.env.UPDATE_FORMS) writeFileSync(RECORD, `${JSON.stringify(seen, undefined, 1)}\n`);
  expect(seen).toEqual(JSON.parse(readFileSync(RECORD, 'utf8')));
});

test.each(BOTH.map((source, index) => [source, index] as const))('is the same in both modes: %s', (source, index) => {
  expect(code[index]).toEqual(classic[PROGRAMS.indexOf(source)]);
});
