import { expect, test } from 'vitest';
import type { EffectRow } from '../../store/schema.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { PLAIN_TOOL, WRITE_NOTE } from '../../testing/tools.ts';
import { defineTool } from '../../tools/tool.ts';
import type { EngineRun, WantedAnswer } from '../types.ts';
import { handover, inClassic } from './handover.ts';
import { ScriptCalls } from './script-calls.ts';

const reason = 'two failed scripts in a row';

function run(more: Partial<EngineRun> = {}, effects: readonly Partial<EffectRow>[] = []): EngineRun {
  return { scope: { ledger: { list: async () => effects } }, ...more } as unknown as EngineRun;
}

test('where nothing is known, nothing is told', async () => {
  expect(await handover(run(), { calls: new ScriptCalls(), shown: [], reason })).toBeUndefined();
});

test('what was done, found, refused and shown is told, each once', async () => {
  const calls = new ScriptCalls();
  calls.add({ name: 'queryRAG', args: ['boat'], reply: { ok: true, value: 'blue' }, acts: false });
  calls.add({ name: 'sendMail', args: [], reply: { ok: false, error: 'denied' } });
  const effects = [{ tool: 'write_note', input: '{"text":"milk"}', state: 'done' as const }];
  const done = '(Already done for this request; do not do it again:\n- write_note {"text":"milk"})';
  const known = [
    '(Scripts were tried for this request, and given up: two failed scripts in a row.)',
    done,
    '(Found so far:\n- queryRAG("boat"): blue)',
    '(Refused or failed:\n- sendMail(): failed: denied)',
    '(Already shown to the person:\none\ntwo)',
  ].join('\n\n');
  const shown = ['one', 'two'];
  expect(await handover(run({}, effects), { calls, shown, reason })).toBe(known);
  expect(await handover(run({ alreadyDone: done }, effects), { calls, shown, reason })).toBe(known);
  const before = await handover(run({ alreadyDone: 'Before.' }), { calls: new ScriptCalls(), shown: [], reason });
  expect(before).toBe(`(Scripts were tried for this request, and given up: ${reason}.)\n\nBefore.`);
});

test('of what was shown four thousand characters are told', async () => {
  const told = await handover(run(), { calls: new ScriptCalls(), shown: ['x'.repeat(3000), 'y'.repeat(3000)], reason });
  expect(told?.split('\n\n')[1]).toBe(`(Already shown to the person:\n${'x'.repeat(3000)}\n${'y'.repeat(999)})`);
});

test('an answer that is data is given to a tool in classic mode', async () => {
  const scope = await testScope();
  const toolbox = testToolbox([WRITE_NOTE], scope);
  const plain = run({ toolbox, systemPrompt: 'Hello.' });
  expect(inClassic(plain)).toBe(plain);
  const tool = defineTool({ ...PLAIN_TOOL, name: 'final_answer', execute: () => null });
  const lines = { code_agent: 'Call finalAnswer(value).', classic_tools: 'Call final_answer for $& of it.' };
  const wanted = { tool, lines } as unknown as WantedAnswer;
  const taken = inClassic(run({ toolbox, wanted, systemPrompt: 'Hello. Call finalAnswer(value). Bye.' }));
  expect(taken.systemPrompt).toBe('Hello. Call final_answer for $& of it. Bye.');
  expect([taken.toolbox.list(), taken.wanted]).toEqual([[WRITE_NOTE, tool], wanted]);
});
