import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type ChatCompletionRequest, LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MODES, type Mode } from './base/turn.ts';
import { temporaryFolder } from './testing/home.ts';
import { sheet } from './testing/pictures.ts';
import { childEnvironment, type Ran, wooster } from './testing/wooster.ts';

/** Reading a picture takes seconds where several programs share a machine. */
const SLOW_MS = 240_000;
const ANSWER = 'It renames a *variable*.';
const mock = new LLMock({ port: 0 });
let requests: ChatCompletionRequest[] = [];
let env: Record<string, string>;
/** The model's replies in order, then the usual answer. */
let said: string[] = [];

beforeAll(async () => {
  mock.on({ predicate: (request) => requests.push(request) > 0 }, () => {
    const reply = said.shift() ?? ANSWER;
    if (!reply.startsWith('call ')) return { content: reply };
    return { toolCalls: [{ name: 'answer', arguments: reply.slice('call '.length) }] };
  });
  await mock.start();
  env = { OPENAI_API_KEY: 'sk-test-0a1b2c3d', OPENAI_BASE_URL: `${mock.url}/v1`, OPENAI_MODEL_NAME: 'gpt-test' };
});
afterAll(() => mock.stop());
beforeEach(() => {
  requests = [];
  said = [];
});

const ask = (home: string, args: readonly string[], input = ''): Promise<Ran> =>
  wooster(['ask', ...args], { home, env, input });

/** The model's last prompt, without what code mode adds below it about the present moment. */
const asked = () => {
  const content = requests.at(-1)?.messages.findLast(({ role }) => role === 'user')?.content;
  return typeof content === 'string' ? content.replace(/\n\n<context>\n[\s\S]*<\/context>$/u, '') : content;
};

test.each(MODES)('what is piped stands below the question, and nothing else, in %s', async (mode) => {
  const home = temporaryFolder();
  const ran = await ask(home, ['explain this', '--mode', mode, '-c', 'diff'], '-const a = 1;\n+const b = 1;\n');
  expect([ran.code, ran.stdout]).toEqual([0, `${ANSWER}\n`]);
  const request = 'explain this\n\n<material name="standard input">\n-const a = 1;\n+const b = 1;\n</material>';
  expect(asked()).toBe(request);
  await ask(home, ['and why?', '--mode', mode, '-c', 'diff']);
  expect(requests.at(-1)?.messages.map(({ content }) => content)).toContain(request);
});

test.each(MODES)(
  'a model that sees gets the picture beside its text, and later turns the text alone, in %s',
  async (mode) => {
    const home = temporaryFolder();
    const page = await sheet('The ferry leaves at seven', { width: 900, height: 300 });
    writeFileSync(join(home, 'note.png'), await page.png().toBuffer());
    const seeing = { home, env: { ...env, OPENAI_MODEL_NAME: 'gpt-4o' } };
    const common = ['--mode', mode, '-c', 'photo'];
    const ran = await wooster(['ask', 'what is this?', '--file', join(home, 'note.png'), ...common], seeing);
    expect([ran.code, ran.stdout]).toEqual([0, `${ANSWER}\n`]);
    const request = 'what is this?\n\n<material name="note.png">\nThe ferry leaves at seven\n</material>';
    const url = expect.stringMatching(/^data:image\/jpeg;base64,\/9j\//u);
    expect(requests.at(-1)?.messages.findLast(({ role }) => role === 'user')?.content).toEqual([
      { type: 'text', text: expect.stringContaining(request) },
      { type: 'image_url', image_url: { url } },
    ]);
    await wooster(['ask', 'and why?', ...common], seeing);
    expect(requests.at(-1)?.messages.map(({ content }) => content)).toContain(request);
  },
  SLOW_MS,
);

test('files of any format are read, and the answer goes to a file', async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'costs.csv'), 'item,eur\nboat,120\n');
  writeFileSync(join(home, 'page.html'), '<title>Fees</title><p>The fee is 9 EUR.</p>');
  const ran = await ask(home, ['sum up', '--file', 'costs.csv', '--file', 'page.html', '--output', 'sum.md']);
  expect([ran.code, ran.stdout]).toEqual([0, '']);
  expect(ran.stderr).toContain('wrote ');
  expect(readFileSync(join(home, 'sum.md'), 'utf8')).toBe(`${ANSWER}\n`);
  expect(asked()).toMatch(/^sum up\n\n<material name="costs.csv">\n[\s\S]*boat[\s\S]*"page.html">[\s\S]*9 EUR/u);
});

test('a dash takes the question itself from standard input', async () => {
  await ask(temporaryFolder(), ['-'], 'What is\nthe tide?\n');
  expect(asked()).toBe('What is\nthe tide?');
});

test('what cannot be read or written is said before anything is asked', async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'broken.pdf'), 'no pdf at all');
  for (const flags of [
    ['--file', 'gone.md'],
    ['--file', 'broken.pdf'],
    ['--output', 'no/such/folder.md'],
  ]) {
    const ran = await ask(home, ['sum up', ...flags]);
    expect([ran.code, ran.stdout], ran.stderr).toEqual([flags[1] === 'gone.md' ? 1 : 2, '']);
    expect(ran.stderr).toContain(flags[1]?.split('/').at(-1));
  }
  expect(requests).toEqual([]);
  expect(existsSync(join(home, 'no'))).toBe(false);
});

test('an open pipe holds nobody up', async () => {
  const home = temporaryFolder();
  const child = spawn(resolve('bin/wooster'), ['ask', 'why?'], { cwd: home, env: childEnvironment({ home, env }) });
  const said = child.stderr.setEncoding('utf8').toArray();
  const [code] = await once(child, 'close');
  expect([code, asked()]).toEqual([0, 'why?']);
  expect((await said).join('')).toContain('Nothing came on standard input within 2 s');
});

const SCHEMA = {
  type: 'object',
  properties: { total: { type: 'number' }, who: { type: 'string' } },
  required: ['total', 'who'],
  additionalProperties: false,
};

test.each<[string, Mode, string[], number]>([
  ['by the tool', 'classic_tools', ['call {"total":145,"who":"Harbour"}'], 1],
  ['by a script', 'code_agent', ['```js\nfinalAnswer({ total: 145, who: "Harbour" })\n```'], 1],
  [
    'by a script at the second try',
    'code_agent',
    ['```js\nfinalAnswer("145")\n```', '```js\nfinalAnswer({ total: 145, who: "Harbour" })\n```'],
    2,
  ],
  ['as words', 'code_agent', ['{"total": 145, "who": "Harbour"}'], 1],
  ['as a call in words', 'classic_tools', ['{"name": "answer", "arguments": {"total": 145, "who": "Harbour"}}'], 1],
  ['as words', 'classic_tools', ['```json\n{"total": 145, "who": "Harbour"}\n```'], 1],
  ['at the second try', 'classic_tools', ['It is 145.', '{"total":145,"who":"Harbour"}'], 2],
])('an answer of a form, given %s', async (_how, mode, replies, count) => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'sum.json'), JSON.stringify(SCHEMA));
  said = replies;
  const ran = await ask(home, ['sum up', '--schema', 'sum.json', '--mode', mode]);
  expect([ran.code, ran.stdout], ran.stderr).toEqual([0, '{"total":145,"who":"Harbour"}\n']);
  expect(requests).toHaveLength(count);
  const [first, second] = requests;
  const system = String(first?.messages[0]?.content);
  // Each mode is told one way, and the other way is not named.
  expect([system.includes('finalAnswer'), system.includes('call answer')]).toEqual(
    mode === 'code_agent' ? [true, false] : [false, true],
  );
  const answers = first?.tools?.filter((tool) => tool.function.name === 'answer') ?? [];
  expect(answers).toHaveLength(mode === 'code_agent' ? 0 : 1);
  if (!second) return;
  expect(second.messages.filter(({ role }) => role === 'user')).toHaveLength(2);
  expect(asked()).toMatch(
    mode === 'code_agent' ? /does not fit.*Call finalAnswer\(value\)/su : /does not fit.*Call answer/su,
  );
});

test('where scripts fail, classic mode is told its own way', async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'sum.json'), JSON.stringify(SCHEMA));
  said = ['```js\nnope()\n```', '```js\nnope(2)\n```', 'call {"total":145,"who":"Harbour"}'];
  const ran = await ask(home, ['sum up', '--schema', 'sum.json', '--mode', 'code_agent']);
  expect([ran.code, ran.stdout], ran.stderr).toEqual([0, '{"total":145,"who":"Harbour"}\n']);
  const system = String(requests[2]?.messages[0]?.content);
  expect([system.includes('finalAnswer(value)'), system.includes('call answer once')]).toEqual([false, true]);
});

test('an answer that has not the form twice is no answer', async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'sum.json'), JSON.stringify(SCHEMA));
  said = ['It is 145.', '{"total":"145","who":"Harbour"}'];
  const ran = await ask(home, ['sum up', '--schema', 'sum.json']);
  expect([ran.code, ran.stdout]).toEqual([1, '']);
  expect(ran.stderr).toContain("The model's answer does not fit the schema");
  expect(ran.stderr).toContain('total');
});

test.each([
  ['[1]', 'holds no JSON Schema'],
  ['{', 'holds no JSON Schema'],
  ['{"type": 7}', 'cannot be used'],
])('a schema %s is refused before anything is asked', async (schema, why) => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'sum.json'), schema);
  const ran = await ask(home, ['sum up', '--schema', 'sum.json']);
  expect([ran.code, ran.stdout, requests.length], ran.stderr).toEqual([2, '', 0]);
  expect(ran.stderr).toContain(why);
});

test('at the prompt, files of the project go with the line that names them, and no others', async () => {
  const home = temporaryFolder();
  const folder = join(home, 'projects/home');
  mkdirSync(join(folder, 'sub'), { recursive: true });
  writeFileSync(join(home, 'outside.md'), 'not for models');
  writeFileSync(join(folder, '.env'), 'not for models');
  symlinkSync(join(home, 'outside.md'), join(folder, 'linked.md'));
  writeFileSync(join(folder, 'sub/plan.md'), 'Paint the boat.\n');
  writeFileSync(join(folder, 'long.txt'), 'words '.repeat(100_000));
  const line = 'compare @sub/plan.md, @long.txt; @.env @../../outside.md @linked.md me@here.org @anna';
  const ran = await wooster([], { home, env, input: `${line}\n` });
  expect([ran.code, ran.stdout]).toEqual([0, `Wooster: ${ANSWER}\n`]);
  expect(asked()).toContain(
    `${line}\n\n<material name="sub/plan.md">\nPaint the boat.\n</material>\n\n<material name="long.txt">`,
  );
  expect(asked()?.length).toBeLessThan(400_400);
  expect(asked()).not.toContain('not for models');
  expect(ran.stderr).toContain('(with sub/plan.md, 15 characters)');
  expect(ran.stderr).toMatch(/\(with long.txt: its start and end, of \d+ characters\)/u);
  for (const name of ['.env', '../../outside.md', 'linked.md']) {
    expect(ran.stderr).toContain(`There is no file ${name} in the project`);
  }
  expect(ran.stderr).not.toContain('anna');
});
