import { afterAll, expect, test } from 'vitest';
import { Redactor } from '../../base/redact.ts';
import { testContext, testTurn } from '../../testing/agent.ts';
import { codeAgent, testSandbox } from '../../testing/code-agent.ts';
import { openTestStore } from '../../testing/stores.ts';
import { Artifacts, createArtifactTools } from '../../tools/builtin/artifacts.ts';

const sandbox = testSandbox();
afterAll(() => sandbox.close());

const js = (source: string) => `\`\`\`js\n${source}\n\`\`\``;
const turn = (id: string) => testTurn('go', { mode: 'code_agent', id });
const LONG = "Array.from({ length: 900 }, (_, i) => 'row ' + i)";

async function open(withTools = true) {
  const store = await openTestStore();
  const artifacts = new Artifacts(store, () => new Date('2026-01-15T09:00:00Z'));
  const tools = withTools ? createArtifactTools(artifacts) : [];
  const redactor = new Redactor(['hunter2-is-the-word']);
  const agent = (replies: Parameters<typeof codeAgent>[1]) =>
    codeAgent(sandbox, replies, { store, artifacts, tools, redactor, code: { maxOutputLength: 400 } });
  return { agent, artifacts };
}

test('a value that is too long to be shown is kept whole, for later scripts and later turns', async () => {
  const { agent, artifacts } = await open();
  const first = await agent([js(LONG), js("finalAnswer('counted')")]);
  await first.runTurn(turn('turn_1'), testContext());
  const [kept] = await artifacts.list('home');
  const told = first.model.requests[1]?.messages.at(-1)?.text ?? '';
  expect(told).toContain(`getArtifact('${kept?.id}')`);
  expect(told.length).toBeLessThan(1200);
  expect(kept).toMatchObject({ type: 'json', description: 'value of script 1' });

  const later = await agent([
    js('finalAnswer(getArtifact(listArtifacts()[0].id).filter((row) => row.endsWith("99")).join())'),
  ]);
  const { text } = await later.runTurn(turn('turn_2'), testContext());
  expect(text).toBe('row 99,row 199,row 299,row 399,row 499,row 599,row 699,row 799,row 899');
});

test('a short value is not kept, and no secret is', async () => {
  const { agent, artifacts } = await open();
  const scripts = [js("'short'"), js("'hunter2-is-the-word '.repeat(60)"), js("finalAnswer('done')")];
  await (await agent(scripts)).runTurn(turn('turn_1'), testContext());
  const [kept, ...others] = await artifacts.list('home');
  expect(others).toEqual([]);
  expect(await artifacts.get('home', kept?.id ?? '')).toBe('[secret] '.repeat(60));
});

test('where artifacts cannot be read, none is kept and the model is told to store the value', async () => {
  const { agent, artifacts } = await open(false);
  const only = await agent([js(LONG), js("finalAnswer('counted')")]);
  await only.runTurn(turn('turn_1'), testContext());
  expect(await artifacts.list('home')).toEqual([]);
  expect(only.model.requests[1]?.messages.at(-1)?.text).toContain('store() the value');
});

test.each([
  ['returns', 'secret'],
  ['logs', "log('found', secret); 1"],
  ['throws', 'throw new Error(secret)'],
  ['keeps in a field', '({ note: [secret] })'],
])('a secret that a script puts together and %s is hidden from the model', async (_title, source) => {
  const { agent } = await open();
  const first = await agent([js(`const secret = 'hunter2-is' + '-the-word';\n${source}`), js("finalAnswer('done')")]);
  await first.runTurn(turn('turn_1'), testContext());
  const told = first.model.requests[1]?.messages.at(-1)?.text ?? '';
  expect(told).toContain('[secret]');
  expect(told).not.toContain('hunter2-is-the-word');
});
