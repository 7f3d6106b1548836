import { describe, expect, test } from 'vitest';
import type { EffectRow } from '../store/schema.ts';
import { testContext, testTurn } from '../testing/agent.ts';
import { completedEffects, tellUnknown } from './completed-effects.ts';

function effect(tool: string, state: EffectRow['state'], input = '{}'): EffectRow {
  return { id: `effect_${tool}`, tool, state, input } as EffectRow;
}

describe('a model that takes a turn over is told', () => {
  test.each<[string, readonly EffectRow[], string | undefined]>([
    ['nothing, where nothing was done', [], undefined],
    ['nothing of what failed', [effect('a', 'failed')], undefined],
    [
      'what was done',
      [effect('write_note', 'done', '{"text":"milk"}'), effect('b', 'failed'), effect('schedule', 'done')],
      '(Already done for this request; do not do it again:\n- write_note {"text":"milk"}\n- schedule {})',
    ],
    [
      'what was begun',
      [effect('send_mail', 'intent')],
      '(Begun, and nobody knows whether it was done; do not do it again:\n- send_mail {})',
    ],
    [
      'what was done before what was begun',
      [effect('send_mail', 'intent'), effect('write_note', 'done')],
      [
        '(Already done for this request; do not do it again:\n- write_note {})',
        '(Begun, and nobody knows whether it was done; do not do it again:\n- send_mail {})',
      ].join('\n'),
    ],
    [
      'the start of a long input',
      [effect('write_note', 'done', 'x'.repeat(201))],
      `(Already done for this request; do not do it again:\n- write_note ${'x'.repeat(199)}…)`,
    ],
    [
      'a whole input of 200 characters',
      [effect('write_note', 'done', 'x'.repeat(200))],
      `(Already done for this request; do not do it again:\n- write_note ${'x'.repeat(200)})`,
    ],
  ])('%s', (_what, effects, told) => {
    expect(completedEffects(effects)).toBe(told);
  });
});

describe('a person is told of a call that was cut off', () => {
  const rows = [effect('send_mail', 'intent', '{"to":"bob"}'), effect('write_note', 'intent', 'x'.repeat(161))];

  test('by name, input and id, where it stays unknown', async () => {
    const context = testContext();
    const asked: unknown[] = [];
    const cutOff = {
      begun: async (of: unknown) => {
        asked.push(of);
        return rows;
      },
      settle: async (effects: readonly EffectRow[]) => [...effects],
    };
    await tellUnknown(cutOff, testTurn('go', { id: 'turn_1' }), context);
    expect(asked).toEqual([{ turnId: 'turn_1' }]);
    const begun = 'was begun when the program was cut off, and its outcome is unknown. It is not repeated;';
    expect(context.events).toEqual([
      {
        type: 'notice',
        text: `send_mail {"to":"bob"} ${begun} \`wooster log --unknown\` settles it (effect_send_mail).`,
      },
      {
        type: 'notice',
        text: `write_note ${'x'.repeat(159)}… ${begun} \`wooster log --unknown\` settles it (effect_write_note).`,
      },
    ]);
  });

  test('unless its outcome was found, or nobody can find out', async () => {
    const context = testContext();
    await tellUnknown({ begun: async () => rows, settle: async () => [] }, testTurn('go'), context);
    await tellUnknown(undefined, testTurn('go'), context);
    expect(context.events).toEqual([]);
  });
});
