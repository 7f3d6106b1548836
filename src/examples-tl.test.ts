import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { completing } from './embed/provider.ts';
import { openCommands } from './testing/commands.ts';
import { temporaryFolder } from './testing/home.ts';
import { StandIn } from './testing/stand-in.ts';

const FOLDER = resolve(import.meta.dirname, '../examples');
const PROGRAMS = readdirSync(FOLDER).filter((name) => name.endsWith('.tl') && !name.endsWith('.test.tl'));
/** What the programs print when a model answers from the schema, kept as it was seen. */
const RECORD = join(import.meta.dirname, 'testing/examples-tl.json');

async function open() {
  const commands = await openCommands({ replies: [] });
  const model = new StandIn();
  commands.app.models.registerProvider('scripted', completing(model));
  return { ...commands, model };
}

test('every example runs to its end and prints what it printed before', async () => {
  expect(PROGRAMS.length).toBeGreaterThanOrEqual(24);
  const { run, model } = await open();
  const printed: Record<string, readonly string[]> = {};
  for (const name of PROGRAMS) {
    const { code, lines, notes } = await run(['think', 'run', join(FOLDER, name)]);
    expect.soft([name, code, notes]).toEqual([name, 0, []]);
    printed[name] = lines;
  }
  if (process.env.UPDATE_EXAMPLES) writeFileSync(RECORD, `${JSON.stringify(printed, undefined, 2)}\n`);
  expect(printed).toEqual(JSON.parse(readFileSync(RECORD, 'utf8')));
  expect(model.sent).not.toContain('123-45');
});

test('tests of programs are recorded once and played without a model', async () => {
  const { run, model } = await open();
  const file = join(temporaryFolder(), 'greeting.test.tl');
  writeFileSync(file, readFileSync(join(FOLDER, 'greeting.test.tl'), 'utf8'));
  expect(await run(['think', 'test', file, '--replay'])).toMatchObject({ code: 1 });
  expect(await run(['think', 'test', file, '--update-snapshots'])).toMatchObject({ code: 0 });
  const asked = model.requests.length;
  const played = await run(['think', 'test', file, '--replay']);
  expect([played.code, played.rows.length, model.requests.length]).toEqual([0, 2, asked]);
  writeFileSync(file, readFileSync(file, 'utf8').replace('Greet $', 'Hail $'));
  const changed = await run(['think', 'test', file, '--replay']);
  expect([changed.code, changed.lines.join('\n')]).toEqual([1, expect.stringContaining('another request')]);
  writeFileSync(file, 'test "no" { assert 1 == 2 }');
  expect((await run(['think', 'test', file])).lines.join('\n')).toContain('1 == 2');
  expect(await run(['think', 'test', temporaryFolder()])).toMatchObject({ code: 1 });
});
