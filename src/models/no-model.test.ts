import { expect, test } from 'vitest';
import { endpoint } from './detect.ts';
import { NobodyThere } from './failure.ts';
import { noModelError } from './no-model.ts';

const candidates = [{ label: 'openai:gpt-5' }, { label: 'google:gemini' }];
const at = (source: string, baseUrl: string) => endpoint({ provider: 'compatible', source, baseUrl });
const unusable = [
  { endpoint: at('OPENAI_BASE_URL', 'http://127.0.0.1:1/v1'), detail: 'refused the connection', away: true },
  { endpoint: at('ROUTING_FAST_URL', 'http://127.0.0.1:2/v1'), detail: 'has no chat model', away: false },
];
const usedUp = { what: 'today', limitUsd: 2, spentUsd: 2.5 };
const NOTHING = { candidates: [], unusable: [], localOnly: false, usedUp: undefined };

test.each([
  [
    'a local project with models elsewhere, budget or not',
    { ...NOTHING, candidates, localOnly: true, usedUp },
    {
      code: 'local_only',
      message: 'This project is local only, and no local model is set up (only openai:gpt-5, google:gemini).',
      hint: 'Start a local model server, set MODEL_NAME=builtin, or remove "localOnly" from wooster.config.json.',
    },
  ],
  [
    'models that cost something, and no money left',
    { ...NOTHING, candidates, usedUp },
    {
      code: 'budget_reached',
      message: 'The budget for today is used up: 2.5000 of 2 USD. No cheaper model is set up.',
      hint: 'Raise the BUDGET_ setting, wait, or switch to a free model with /model NAME.',
    },
  ],
  [
    'servers that do not answer, whatever else is so',
    { ...NOTHING, unusable, localOnly: true, usedUp },
    {
      code: 'model_unreachable',
      message: [
        'No model answers: OPENAI_BASE_URL (http://127.0.0.1:1/v1) refused the connection;',
        'ROUTING_FAST_URL (http://127.0.0.1:2/v1) has no chat model.',
      ].join(' '),
      hint: 'Start the server or correct its address; /model builtin works without one.',
    },
  ],
])('%s', (_what, reasons, error) => {
  const { code, message, hint } = noModelError(reasons);
  expect({ code, message, hint }).toEqual(error);
});

test('nobody is there only where no server has answered', () => {
  const [silent] = unusable;
  expect(noModelError({ ...NOTHING, unusable })).not.toBeInstanceOf(NobodyThere);
  expect(noModelError({ ...NOTHING, unusable: silent ? [silent] : [] })).toBeInstanceOf(NobodyThere);
});
