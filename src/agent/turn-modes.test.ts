import { expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import type { Mode } from '../base/turn.ts';
import { testContext, testTurn } from '../testing/agent.ts';
import { TurnModes } from './turn-modes.ts';

const AUTO = testTurn('go', { mode: 'classic_tools', autoMode: true });

/** Modes that are chosen in this order, and what is logged meanwhile. */
function modes(...chosen: readonly (readonly [string, Mode] | Error)[]) {
  const left = [...chosen];
  const logged: unknown[] = [];
  const log = { ...silentLog, error: (...line: unknown[]) => void logged.push(line) };
  const chooseMode = async () => {
    const next = left.shift();
    if (next === undefined || next instanceof Error) throw next ?? new Error('asked too often');
    const [model, mode] = next;
    return { model, mode, why: 'it keeps to the format' };
  };
  return { modes: new TurnModes({ chooseMode, log }), logged, left };
}

test('a turn that names its mode keeps it, and nobody is asked', async () => {
  const { modes: chosen, left } = modes(['qwen', 'code_agent']);
  const context = testContext();
  const turn = testTurn('go');
  expect(await chosen.decide(turn, context)).toBe(turn);
  expect(left).toHaveLength(1);
  expect(context.events).toEqual([]);
  expect(await new TurnModes({ log: silentLog }).decide(AUTO, context)).toBe(AUTO);
});

test('the mode of a model is said once, and again when it changes', async () => {
  const { modes: chosen } = modes(
    ['qwen', 'code_agent'],
    ['qwen', 'code_agent'],
    ['llama', 'code_agent'],
    ['qwen', 'classic_tools'],
    ['qwen', 'classic_tools'],
  );
  const context = testContext();
  const decided: Mode[] = [];
  for (let turn = 0; turn < 5; turn++) decided.push((await chosen.decide(AUTO, context)).mode);
  expect(decided).toEqual(['code_agent', 'code_agent', 'code_agent', 'classic_tools', 'classic_tools']);
  expect(context.events).toEqual([
    { type: 'notice', text: 'qwen works in code_agent: it keeps to the format.' },
    { type: 'notice', text: 'llama works in code_agent: it keeps to the format.' },
    { type: 'notice', text: 'qwen works in classic_tools: it keeps to the format.' },
  ]);
  expect(await modes(['qwen', 'code_agent']).modes.decide(AUTO, context)).toEqual({ ...AUTO, mode: 'code_agent' });
});

test('where no mode can be chosen, the turn has the one that it came with', async () => {
  const { modes: chosen, logged } = modes(new Error('no model answers'));
  const context = testContext();
  expect(await chosen.decide(AUTO, context)).toBe(AUTO);
  expect(logged).toEqual([['no mode was chosen', { error: 'no model answers' }]]);
  expect(context.events).toEqual([]);
});
