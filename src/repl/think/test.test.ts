import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { completing } from '../../embed/provider.ts';
import type { CompleteOptions } from '../../models/providers/completing.ts';
import { openCommands } from '../../testing/commands.ts';
import { StandIn } from '../../testing/stand-in.ts';

/** Echoes what it was asked; slow requests are answered last. */
class Echo extends StandIn {
  override async complete(options: CompleteOptions) {
    const given = await super.complete(options);
    if (options.userMessage.includes('slow')) await new Promise((done) => setTimeout(done, 100));
    const word = /\b(?:slow|quick|price)\b/u.exec(options.userMessage)?.[0] ?? 'other';
    return options.tools?.length || options.jsonSchema ? given : { ...given, data: word };
  }
}

async function world() {
  const commands = await openCommands({ replies: [] });
  const model = new Echo();
  commands.app.models.registerProvider('scripted', completing(model));
  const file = join(commands.home, 'a.test.tl');
  const recorded = async (source: string) => {
    writeFileSync(file, source);
    const { lines } = await commands.run(['think', 'test', file, '--update-snapshots']);
    model.requests.length = 0;
    return lines.slice(1);
  };
  const replayed = async () => (await commands.run(['think', 'test', file, '--replay'])).lines.slice(1).join('\n');
  return { ...commands, model, file, recorded, replayed };
}

const ITEMS = 'let all = map_think<string>(["quick", "slow", "quick"], "say it") concurrency: 3';
const AGENT = `tool price(ticker: string): string { return think<string>("the price of \${ticker}") }
type R { text: string }
let r = agent<R>("what is it worth?") with tools: price
`;

test.each([
  ['one after the other', 'test "t" { assert think<string>("quick") == "quick" assert think<string>("x") == "other" }'],
  ['several at once', `test "t" { ${ITEMS} assert all[1] == "slow" assert all[2] == "quick" }`],
  ['within a tool', `${AGENT}test "t" { assert r.text == "stub-text" assert think<string>("quick") == "quick" }`],
])('what was recorded is played without a model: %s', async (_what, source) => {
  const { recorded, replayed, model } = await world();
  expect(await recorded(source)).toEqual(['+ PASS: t', '1 passed, 0 failed']);
  expect(await replayed()).toBe('+ PASS: t\n1 passed, 0 failed');
  expect(model.requests).toEqual([]);
});

test('another request, a missing snapshot and a broken one are failures of the test', async () => {
  const { recorded, replayed, file } = await world();
  await recorded('test "t" { print think<string>("quick") }\ntest "u" { assert 1 == 1 }');
  writeFileSync(file, readFileSync(file, 'utf8').replace('quick', 'quicker'));
  expect(await replayed()).toMatch(/FAIL: t\n.*a\.test\.tl:1:\d+.*another request: "quick"[\s\S]*PASS: u\n1 passed/u);
  writeFileSync(file.replace('.tl', '.1.snapshot.json'), '{"version": 1, "entr');
  expect(await replayed()).toMatch(/FAIL: t\n.*snapshot[\s\S]*PASS: u/u);
  rmSync(file.replace('.tl', '.1.snapshot.json'));
  expect(await replayed()).toMatch(/FAIL: t\n.*no snapshot[\s\S]*PASS: u/u);
});

test('a test that asks no model is played without a snapshot', async () => {
  const { replayed, file } = await world();
  writeFileSync(file, 'test "t" { assert 1 == 1 }');
  expect(await replayed()).toBe('+ PASS: t\n1 passed, 0 failed');
});

test('tests of a folder are found, those of packages are not', async () => {
  const { run, home } = await world();
  for (const name of ['one', 'sub', 'sub/node_modules/p']) {
    mkdirSync(join(home, 't', name), { recursive: true });
    writeFileSync(join(home, 't', name, 'a.test.tl'), `test "${name}" { assert 1 == 1 }`);
  }
  const { lines } = await run(['think', 'test', join(home, 't')]);
  expect(lines.filter((line) => line.startsWith('+'))).toEqual(['+ PASS: one', '+ PASS: sub']);
});
