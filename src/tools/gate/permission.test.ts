import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type ScopeOptions, testScope, testToolbox } from '../../testing/scope.ts';
import { mailTool, PLAIN_TOOL, WRITE_NOTE } from '../../testing/tools.ts';
import { defineTool } from '../tool.ts';
import { ApprovalRules } from './approvals.ts';
import { readReceipts } from './receipts.ts';
import { readWhy } from './why.ts';

const tell = defineTool({
  ...PLAIN_TOOL,
  name: 'tell',
  policy: {
    ...PLAIN_TOOL.policy,
    effect: 'outbound',
    recipient: () => ({ channel: 'mail', address: 'me', own: true }),
  },
  execute: () => 'told',
});

async function scene(options: ScopeOptions = {}, own: { rules?: string[]; isLocalOnly?: () => boolean } = {}) {
  const scope = await testScope(options);
  const { isLocalOnly } = own;
  const rules = new ApprovalRules(scope.store, scope.context.now, own.rules);
  return { scope, toolbox: testToolbox([tell, mailTool([]), WRITE_NOTE], scope, { rules, isLocalOnly }) };
}

describe('what a call was decided by is kept with it', () => {
  const question = { ruled: false, untrusted: false, private: false, destination: 'none' };
  const call = { to: 'bob' };

  test.each([
    ['tell', {}, [], { ...question, can: 'owner' }, 'it goes to the owner alone', null],
    ['tell', {}, ['tell=mail:me'], { ...question, can: 'owner' }, 'it goes to the owner alone', null],
    [
      ...(['send_mail', call, ['send_mail=mail:bob'], { ...question, can: 'others', ruled: true }] as const),
      ...(['a standing rule names tool and recipient', null] as const),
    ],
    [
      ...(['send_mail', call, ['send_mail=mail:eve'], { ...question, can: 'others' }] as const),
      ...(['it reaches somebody other than the owner', 'terminal'] as const),
    ],
  ])('%s %j with the rules %j', async (name, input, rules, asked, reason, by) => {
    const { scope, toolbox } = await scene({ decide: { verdict: 'once', by: 'terminal' } }, { rules: [...rules] });
    expect(await toolbox.call(name, input, scope)).toMatchObject({ ok: true });
    const [row] = await scope.ledger.list();
    expect(row).toMatchObject({ approved_by: by });
    const kept = readWhy(row?.why ?? null);
    expect(kept).toEqual({ question: asked, sources: [], answer: { verdict: expect.any(String), reason } });
  });

  test('with what had been read by then', async () => {
    const { scope, toolbox } = await scene();
    await scope.labels.read({ untrusted: true, private: true }, 'read_mail');
    await toolbox.call('tell', {}, scope);
    expect(readWhy((await scope.ledger.list())[0]?.why ?? null)).toMatchObject({
      ...{ question: { untrusted: true, private: true }, sources: ['read_mail'] },
    });
  });
});

test('a project that is local only refuses what leaves the machine, and nothing else', async () => {
  const { scope, toolbox } = await scene({ turn: { project: 'diary' } }, { isLocalOnly: () => true });
  const error = 'tell was not run: the project "diary" is local only, nothing of it may leave this machine.';
  expect(await toolbox.call('tell', {}, scope)).toEqual({
    ok: false,
    told: expect.anything(),
    reason: 'denied',
    error,
    final: true,
  });
  expect(await toolbox.call('write_note', { text: 'x' }, scope)).toMatchObject({ ok: true });
  expect(await readReceipts(scope.store, { limit: 1 })).toMatchObject([{ tool: 'write_note', state: 'done' }]);
  const [refused] = await readReceipts(scope.store, { limit: 9 });
  expect(refused).toMatchObject({ tool: 'tell', state: 'denied', approved_by: 'the project' });
});

test('the pages of a search are no alphabet: a turn that could carry something out visits a few of each site', async () => {
  const visit = defineTool({
    ...PLAIN_TOOL,
    name: 'visit',
    input: z.object({ url: z.string() }),
    policy: { effect: 'none', reads: 'public', network: true, destination: ({ url }) => url },
    execute: () => 'seen',
  });
  const visits = async (private_: boolean, urls: readonly string[], said: readonly string[] = []) => {
    const base = await testScope();
    const scope = { ...base, said };
    for (const letter of 'abcdefgh')
      for (const url of [
        `https://${letter}.spell.example/`,
        `https://spell.example/${letter}`,
        `https://${letter}.org/`,
      ])
        scope.destinations.add(url);
    await scope.labels.read({ untrusted: true, private: private_ }, 'a page');
    const toolbox = testToolbox([visit], scope);
    const results: boolean[] = [];
    for (const url of urls) results.push((await toolbox.call('visit', { url }, scope)).ok);
    return results.filter((ok) => ok).length;
  };
  const spelt = [...'headache'].map((letter) => `https://spell.example/${letter}`);
  expect(await visits(true, spelt)).toBe(3);
  expect(
    await visits(
      true,
      [...'bagged'].map((letter) => `https://${letter}.spell.example/`),
    ),
  ).toBe(3);
  expect(
    await visits(
      true,
      [...'abcdefgh'].map((letter) => `https://${letter}.org/`),
    ),
  ).toBe(8);
  expect(await visits(false, [...new Set(spelt)])).toBe(5);
  // What the owner named themselves is open to them.
  expect(await visits(true, [...new Set(spelt)], [`read ${spelt.join(' ')}`])).toBe(5);
});
