import { expect, test } from 'vitest';
import { modeOf, requestOf, withoutMaterial } from './turn.ts';

test('the mode is the setting, and auto leaves it to the agent', () => {
  expect(modeOf('code_agent')).toEqual({ mode: 'code_agent' });
  expect(modeOf('classic_tools')).toEqual({ mode: 'classic_tools' });
  expect(modeOf('auto')).toEqual({ mode: 'classic_tools', autoMode: true });
});

test('what was handed over stands below the request, and can be taken off again', () => {
  const material = [
    { name: 'a "b".txt', text: 'one', untrusted: false },
    { name: 'stdin', text: 'two', untrusted: true },
  ];
  const request = requestOf({ text: 'Compare.', material });
  expect(request).toBe(
    'Compare.\n\n<material name="a \\"b\\".txt">\none\n</material>\n\n<material name="stdin">\ntwo\n</material>',
  );
  expect(withoutMaterial(request)).toBe('Compare.');
  expect([requestOf({ text: 'Hi' }), withoutMaterial('Hi\n\nthere')]).toEqual(['Hi', 'Hi\n\nthere']);
});
