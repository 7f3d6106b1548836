import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { completing } from '../../embed/provider.ts';
import { openCommands } from '../../testing/commands.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { StandIn } from '../../testing/stand-in.ts';

/** Programs of one home, with a model that answers from the schema. */
async function world(options: { mode?: 'classic_tools' | 'code_agent'; yes?: boolean } = {}) {
  const commands = await openCommands({ replies: [], session: options });
  const model = new StandIn();
  commands.app.models.registerProvider('scripted', completing(model));
  const folder = temporaryFolder();
  const write = (name: string, source: string) => {
    writeFileSync(join(folder, name), source);
    return join(folder, name);
  };
  const run = async (source: string, ...more: string[]) => {
    model.requests.length = 0;
    return commands.run(['think', 'run', write('p.tl', source), ...more]);
  };
  return { ...commands, model, run, write, folder, words: commands.run };
}

test('what needs no model', async () => {
  const { run, model } = await world();
  const cases: readonly [string, readonly string[]][] = [
    ['fn f(): int { return 2 }  print f() + 1', ['3']],
    ['print [1, 2][1]\nprint { a: 1 }["a"]\nprint 7 % 4\nprint 1 / 2', ['2', '1', '3', '0.5']],
    ['let x = 1\nx = x + 1\nwhile x < 5 { x = x + 1 }\nprint x', ['5']],
    ['for i in 1..9 { if i == 2 { continue } else if i > 3 { break } print i }', ['1', '3']],
    ['print null\nprint [1]\nprint "a"\nprint true', ['null', '[\n  1\n]', 'a', 'true']],
    ['fn f(n: int): int { if n < 2 { return 1 } return n * f(n - 1) }\nprint f(20)', ['2432902008176640000']],
    ['print match 5 { 1 => "one" _ => "other" }', ['other']],
    ['print match { s: 0.9, k: "a" } { { s: > 0.8, k: "b" } => 1 { s: >= 0.9 } => 2 }', ['2']],
    ['try { print [1][3] } catch IndexOutOfRange (e) { print e.name }', ['IndexOutOfRange']],
    ['fn up(t: string): string { return t + "!" }\nprint "a" |> up |> up', ['a!!']],
    ['param city: string = "Bonn"\nprint "In " + city', ['In Bonn']],
    ['let class = 1\nlet await = 2\nprint class + await', ['3']],
    ['print { a: [1, { b: 2 }] } == { a: [1, { b: 2 }] }\nprint 1 == 1.0', ['true', 'true']],
  ];
  for (const [source, lines] of cases) expect.soft((await run(source)).lines, source).toEqual(lines);
  expect(model.requests).toEqual([]);
});

test.each([
  ['print [1][3]', 'p.tl:1:7: error IndexOutOfRange'],
  ['let a = 1\nprint a.b', 'p.tl:2:9: error TL3003'],
  ['print "1" == 1', 'error TL3'],
  ['print 1 / 0', 'error DivisionByZero'],
  ['fn f(n: int): int { return f(n + 1) }\nprint f(1)', 'error TooDeep'],
  ['print match 5 { 1 => "one" }', 'error NoMatch'],
  ['assert 1 == 2', '1 == 2'],
  ['print process', 'TL2001'],
  ['print globalThis.fetch', 'TL2001'],
  ['let x: Nope = 1', 'TL2002'],
])('%s fails with its place', async (source, text) => {
  const { run } = await world();
  const { code, notes } = await run(source);
  expect([code, notes.join('\n')]).toEqual([1, expect.stringContaining(text)]);
});

test('a think is its type in every place where an expression can stand', async () => {
  const { run } = await world();
  const n = 'think<int>("n")';
  const cases: readonly [string, string][] = [
    [`print ${n} + 1`, '8'],
    [`if ${n} > 3 { print "yes" }`, 'yes'],
    [`print [${n}, ${n}][1]`, '7'],
    [`print { a: ${n} }.a`, '7'],
    [`fn f(a: int): int { return a }\nprint f(${n})`, '7'],
    [`print match 1 { 1 => ${n} }`, '7'],
    [`print \`got \${${n}}\``, 'got 7'],
    [`print -${n}`, '-7'],
    [
      `let r = think<string>("x") guard { length: 50..60 } on_fail: retry(1) then fallback(think<string>("y"))\nprint r`,
      'stub-v',
    ],
  ];
  for (const [source, line] of cases) expect.soft((await run(source)).lines, source).toEqual([line]);
});

test('a call that gives way to its fallback says so, and why', async () => {
  const { run } = await world();
  const source = 'print think<string>("x") guard { length: 50..60 } on_fail: retry(2) then fallback("usual")';
  const { code, lines, notes } = await run(source);
  expect([code, lines]).toEqual([0, ['usual']]);
  expect(notes).toEqual([expect.stringMatching(/^The fallback is used: .*length/u)]);
});

test('types: records, lists, choices, recursion, confidence', async () => {
  const { run, model } = await world();
  const { lines, notes } = await run(`type Node { @description("its name") name: string children: Node[] note: string? }
let n = think<Node>("tree")
print n.name
print n.children.length
let c = think<Confident<Node>>("tree")
print c.isConfident(0.9)
print c.unwrap().name
let uncertain u = think<int>("n")
print u.expect(0.8) + 1
type Odd { value: string confidence: float }
print think<Odd>("odd").value`);
  expect(notes).toEqual([]);
  expect(lines).toEqual(['stub-name', '2', 'true', 'stub-name', '8', 'stub-value']);
  expect(model.requests[0]?.jsonSchema).toMatchObject({ required: ['name', 'children'], $defs: { Node: {} } });
  expect(model.requests[0]?.jsonSchema).toMatchObject({ properties: { name: { description: 'its name' } } });
});

test('context goes along, and what is left out is in no byte of any request', async () => {
  const { run, model } = await world();
  const { code, notes } = await run(`let user = { name: "Ann", ssn: "123-45" }
print think<string>("greet") with context: { user } without context: { user.ssn }
print infer<string>(user.name, "guess") without context: { user.ssn } with context: { user, user.name }
print reason<string> { goal: "g" steps: 1. "look" 2. "think" with context: { user } without context: { user.ssn } }`);
  expect([code, notes]).toEqual([0, []]);
  expect(model.sent).toContain('Ann');
  expect(model.sent).not.toContain('123-45');
});

test('pipelines of any length hand on the last value only', async () => {
  const { run, model } = await world();
  model.next.push('one', 'two', 'three');
  const { lines } = await run('print "start" |> think<string>("a") |> think<string>("b") |> think<string>("c")');
  expect(lines).toEqual(['three']);
  expect(model.requests.map(({ userMessage }) => userMessage.includes('previous_result'))).toEqual([true, true, true]);
  expect(model.requests[2]?.userMessage).toContain('two');
  expect(model.requests[2]?.userMessage).not.toContain('one');
});

test.each([
  ['length: 50..200', 'GuardFailed'],
  ['length: 1 .. 3', 'GuardFailed'],
  ['contains_none: ["stub"]', 'GuardFailed'],
  ['passes: no', 'GuardFailed'],
])('a guard %s is asked about three times and then fails', async (rule, name) => {
  const { run, model } = await world();
  const { code, notes } = await run(`fn no(t: string): bool { return false }
print think<string>("x") guard { ${rule} } on_fail: retry(3)`);
  expect([code, model.requests.length]).toEqual([1, 3]);
  expect(notes.join('\n')).toContain(name);
  expect(model.requests[1]?.userMessage).toContain('refused');
});

test('errors are caught by the name of their class', async () => {
  const { run, model } = await world();
  model.next.push({ value: 'no number' }, { value: 'again' });
  const { lines } = await run(`try { print think<int>("n") }
catch GuardFailed (e) { print "wrong" } catch SchemaViolation (e) { print e.path + e.name }`);
  expect(lines).toEqual(['SchemaViolation']);
});

const AGENT = `tool fetchPrice(ticker: string): float @description("Get a price") {
  print "price of " + ticker
  return 12.5
}
tool note(text: string): string { print text }
type Advice { text: string confidence: float }
fn good(a: Advice): bool { return a.confidence > 0.5 }
let advice = agent<Advice>("Analyze")
  with tools: fetchPrice, note
  with context: { portfolio: "mine" }
  max turns: 5
  guard passes(good)
  on fail retry 2 with fallback { { text: "none", confidence: 1.0 } }
print advice.text`;

test.each(['classic_tools', 'code_agent'] as const)('an agent uses the tools of the program, in %s', async (mode) => {
  const { run, model } = await world({ mode });
  if (mode === 'code_agent')
    model.next.push(
      "```js\nconst p = await fetchPrice('stub-ticker');\nfinalAnswer({ text: 'stub-text', confidence: 0.95 });\n```",
    );
  const { lines, notes } = await run(AGENT);
  expect([lines, notes]).toEqual([['price of stub-ticker', 'stub-text'], []]);
  if (mode === 'classic_tools') expect(JSON.stringify(model.requests[1]?.messages)).toContain('12.5');
});

test('a tool that only prints gives the agent what it printed', async () => {
  const { run, model } = await world();
  await run('tool say(): string { print "hello there" }\nprint agent<string>("go") with tools: say');
  expect(JSON.stringify(model.requests[1]?.messages)).toContain('hello there');
});

test('lists: items in order, groups reduced, budgets kept', async () => {
  const { run, model } = await world();
  const list = '["a", "b", "c", "d", "e"]';
  const mapped = await run(`print map_think<int>(${list}, "rate") concurrency: 3`);
  expect([mapped.lines, model.requests.length]).toEqual([[JSON.stringify([7, 7, 7, 7, 7], null, 2)], 5]);
  await run(`print reduce_think<string>(${list}, "sum up") batch_size: 3`);
  expect(model.requests.length).toBe(3);
  const batched = await run(
    `fn f(t: string): string { return t + "!" }\nprint batch<string>(${list}, f) concurrency: 2`,
  );
  expect(batched.lines[0]).toContain('e!');
  expect((await run(`print reduce_think<string>(${list}, "x") batch_size: 1`)).code).toBe(1);
});

test("the program's own calls of tools pass the gate", async () => {
  const { run } = await world();
  const kept = await run('print writeFile("a.txt", "hi")\nprint readFile("a.txt")');
  expect(kept.notes).toEqual([]);
  expect([kept.code, kept.lines.join('\n')]).toEqual([0, expect.stringContaining('hi')]);
  const refused = await run('print readFile("../../../etc/passwd")');
  expect([refused.code, refused.notes.join('\n')]).toEqual([1, expect.stringContaining('ToolExecutionError')]);
});

test('imports bring types, functions and tools; circles and gaps are errors before anything runs', async () => {
  const { run, write, model } = await world();
  write(
    'lib.tl',
    'type T { a: int }\nfn f(): int { return helper() }\nfn helper(): int { return 4 }\ntool t(): string { return "x" }',
  );
  const { lines } = await run(
    'import { T, f, t } from "./lib"\nprint f()\nprint think<T>("x").a\nprint agent<string>("go") with tools: t',
  );
  expect(lines).toEqual(['4', '7', 'stub-v']);
  write('c.tl', 'import { x } from "./p"\nfn y(): int { return 1 }');
  const circle = await run('import { y } from "./c"\nfn x(): int { return 1 }\nprint think<int>("x")');
  expect([circle.code, circle.notes.join('\n'), model.requests.length]).toEqual([
    1,
    expect.stringContaining('TL2008'),
    0,
  ]);
  expect((await run('import { z } from "./lib"')).notes.join('\n')).toContain('TL2007');
  expect((await run('import { z } from "./nowhere"')).notes.join('\n')).toContain('TL2006');
});

test('parameters come from the command line, read as their types', async () => {
  const { run } = await world();
  const source = 'param n: int\nparam names: string[] = ["a"]\nprint n + 1\nprint names[0]';
  expect((await run(source, '--arg', 'n=4', '--arg', 'names=["x"]')).lines).toEqual(['5', 'x']);
  await expect(run(source)).rejects.toMatchObject({
    code: 'bad_usage',
    message: expect.stringContaining('n is missing'),
  });
  await expect(run(source, '--arg', 'n=four')).rejects.toMatchObject({ code: 'bad_usage' });
  await expect(run(source, '--arg', 'm=1')).rejects.toMatchObject({
    message: expect.stringContaining('it has: n, names'),
  });
});

test('what it cost is told, and the rows say what happened', async () => {
  const { run } = await world();
  const { rows, notes } = await run('print think<string>("a")', '--show-cost');
  expect(rows).toMatchObject([
    { type: 'print', text: 'stub-v' },
    { type: 'end', ok: true, cost: { calls: 1, inputTokens: 10, byOperation: { think: { calls: 1 } } } },
  ]);
  expect(notes.join('\n')).toContain('1 model call,');
});
