import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkSource } from '../lang/check/check.ts';
import { compileProgram } from '../lang/compile/compile.ts';
import { type CompiledProgram, compiledProgram, moduleText } from '../lang/compile/module-text.ts';
import { temporaryFolder } from '../testing/home.ts';
import { StandIn } from '../testing/stand-in.ts';
import { storeSettings } from '../testing/stores.ts';
import { Library } from './library.ts';
import { requireNode } from './node-version.ts';
import { runProgram } from './open.ts';

const EGGS = `// Says what eggs cost.
param count: int = 3
type Total { count: int worth: float }
print \`\${count} eggs\`
if count < 1 { return null }
let total: Total = { count: count, worth: count * 0.5 }
return total
`;

function homeWith(programs: Readonly<Record<string, string>> = {}) {
  const home = temporaryFolder();
  mkdirSync(join(home, 'programs'));
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(home, 'programs', name), text);
  return { home, env: { ROUTING_LOCAL_ENABLED: 'false', ...storeSettings(home) } };
}

test('a program of the home runs by its name, prints as it goes, and gives its value', async () => {
  const options = homeWith({ 'egg-count.tl': EGGS });
  const printed: string[] = [];
  const outcome = await runProgram('egg count', { count: '4' }, { ...options, print: (text) => printed.push(text) });
  expect(printed).toEqual(['4 eggs']);
  expect(outcome).toMatchObject({ value: { count: 4, worth: 2 }, printed: '4 eggs', cost: { calls: 0 } });
  expect(outcome.shown).toBe(JSON.stringify({ count: 4, worth: 2 }, null, 2));
  expect(await runProgram('egg count', { count: 0 }, options)).toMatchObject({ value: null, shown: '' });
});

test('it asks the model and calls the tools of the home that it was given', async () => {
  const { home, env } = homeWith();
  const path = join(home, 'any.tl');
  writeFileSync(path, 'print think<string>("hello")\nwriteNote("from a program")\nreturn listNotes()[0].text\n');
  const outcome = await runProgram(path, {}, { home, env, model: new StandIn() });
  expect(outcome).toMatchObject({ value: 'from a program', printed: 'stub-v', cost: { calls: 1 } });
});

test.each([
  ['there is none', undefined, {}, 'file_not_found', /cannot be read/u],
  ['it has errors', 'print moood', {}, 'program_failed', /TL2001/u],
  ['it fails', 'let list = [1]\nprint list[7]', {}, 'program_failed', /:2:7: error IndexOutOfRange[\s\S]*\^/u],
  [
    'an argument does not fit',
    'param n: int\nprint n',
    { n: 'zz' },
    'bad_usage',
    /^The parameter n does not fit: .*integer.*; given: "zz"\.$/u,
  ],
  ['an argument is missing', 'param n: int\nprint n', {}, 'bad_usage', /parameter n is missing/u],
])('where %s, the error says so', async (_what, source, given, code, message) => {
  const { home, env } = homeWith();
  const path = join(home, 'any.tl');
  if (source !== undefined) writeFileSync(path, source);
  const failing = runProgram(path, given, { home, env });
  await expect(failing).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});

function compiledFrom(source: string): CompiledProgram {
  const checked = checkSource(source, 'a.tl', { read: () => '', tools: [] });
  return compiledProgram(checked, compileProgram(checked));
}

test('a module holds the whole program, which runs on the assistant of the library', async () => {
  const { text, before } = moduleText(compiledFrom(`${EGGS}// \u2028 "\`\${1}\n`));
  expect(text.split('\n')[before]).toContain('$program');
  const alone = text.replace(/^import .*$/mu, 'const compiled = (program) => program; const close = () => {};');
  const { run } = (await import(`data:text/javascript,${encodeURIComponent(alone)}`)) as { run: CompiledProgram };
  const library = new Library();
  library.init(homeWith());
  try {
    const outcome = await library.run(run, { count: '2' }, {});
    expect(outcome).toMatchObject({ value: { count: 2, worth: 1 }, printed: '2 eggs' });
    const failing = library.run(compiledFrom('let list = [1]\nprint list[7]'), {}, {});
    await expect(failing).rejects.toMatchObject({ message: expect.stringContaining('a.tl:2:7: error') });
  } finally {
    await library.close();
  }
});

test('an older Node is told what is needed', () => {
  expect(() => requireNode('20.19.0')).toThrow('needs Node 24; this is 20.19.0');
  expect(() => requireNode('24.0.0')).not.toThrow();
});
