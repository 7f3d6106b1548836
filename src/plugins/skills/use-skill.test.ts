import { expect, test } from 'vitest';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { toSchema } from '../../tools/signature.ts';
import { createUseSkillTool, type ReadSkill } from './use-skill.ts';

const TEA = { text: 'Warm the pot.', files: ['a.md'], own: true };

function opened(sources: ReadSkill['sources'] = []) {
  const asked: unknown[] = [];
  const tool = createUseSkillTool({
    read: async (...given) => {
      asked.push(given);
      return { ...TEA, sources };
    },
  });
  return { tool, asked };
}

test('what a model is told of it', () => {
  const { tool } = opened();
  expect(tool).toMatchObject({
    ...{ name: 'use_skill', functionName: 'useSkill', positional: ['name', 'file'] },
    aliases: { name: ['skill'], file: ['path'] },
    description: 'Read a skill, or one `file` of it. Its scripts run in a workspace only.',
    policy: { effect: 'none' },
    provenance: {},
    timeoutMs: 10_000,
  });
  expect(tool.output && toSchema(tool.output, 'output')).toMatchObject({
    properties: { text: { type: 'string' }, files: { items: { type: 'string' } }, own: { type: 'boolean' } },
    required: ['text', 'files', 'own'],
  });
});

test.each<[input: object, read: object | undefined]>([
  [{ name: ' tea ' }, { name: 'tea' }],
  [
    { name: 'tea', file: ' a.md ' },
    { name: 'tea', file: 'a.md' },
  ],
  [
    { name: 'n'.repeat(64), file: 'f'.repeat(300) },
    { name: 'n'.repeat(64), file: 'f'.repeat(300) },
  ],
  [{ name: 'n'.repeat(65) }, undefined],
  [{ name: 'tea', file: 'f'.repeat(301) }, undefined],
  [{ name: ' ' }, undefined],
  [{ name: 'tea', file: ' ' }, undefined],
  [{}, undefined],
])('%j is read as %j', (input, read) => {
  expect(opened().tool.input.safeParse(input).data).toEqual(read);
});

test('it reads in the project of the turn, and says whose text it is', async () => {
  for (const [sources, labels] of [
    [[], { untrusted: false, private: false }],
    [[{ untrusted: false }], { untrusted: false, private: true }],
    [[{ untrusted: true }], { untrusted: true, private: true }],
  ] as const) {
    const { tool, asked } = opened(sources);
    const scope = await testScope({ turn: { project: 'trip' } });
    const result = await testToolbox([tool], scope).call('use_skill', { name: 'tea', file: 'a.md' }, scope);
    expect([result, asked]).toMatchObject([{ value: TEA }, [['tea', 'trip', 'a.md']]]);
    expect(scope.labels).toMatchObject(labels);
  }
});
