import { expect, test } from 'vitest';
import { type CpuProfile, type Frame, shares, startPart, turnPart } from './parts.ts';

const frame = (functionName: string, url = '', lineNumber = 5): Frame => ({ functionName, url, lineNumber });

test('the innermost frame that belongs to a part decides, and idle time does not count', () => {
  const profile: CpuProfile = {
    nodes: [
      { id: 1, callFrame: frame('(root)'), children: [2, 5] },
      { id: 2, callFrame: frame('loadSettings', 'file:///build/main.js'), children: [3] },
      { id: 3, callFrame: frame('import', 'node:internal/modules/esm/loader'), children: [4] },
      { id: 4, callFrame: frame('readSync', 'node:fs') },
      { id: 5, callFrame: frame('(idle)') },
    ],
    samples: [2, 4, 4, 4, 5, 5, 5, 1],
  };
  expect(Object.fromEntries(shares([profile], startPart, 'the rest'))).toEqual({
    settings: 0.2,
    'finding, reading and compiling modules': 0.6,
    'the rest': 0.2,
  });
});

test('names that every object has are no parts', () => {
  expect(startPart(frame('toString'))).toBeUndefined();
  expect(startPart(frame('constructor'))).toBeUndefined();
});

test('in a turn the address tells the part; what Node does belongs to its caller', () => {
  expect(turnPart(frame('run', 'file:///x/src/store/sqlite/driver.ts'))).toBe('the store');
  expect(turnPart(frame('call', 'file:///x/node_modules/@langchain/classic/dist/agents/executor.js'))).toBe(
    'LangChain: AgentExecutor',
  );
  expect(turnPart(frame('write', 'node:net'))).toBeUndefined();
});
