import { expect, test } from 'vitest';
import { z } from 'zod';
import { openCommands } from '../../testing/commands.ts';
import type { Tool } from '../tool.ts';

/** `npx vitest run src/tools/builtin/declared.test.ts -u` writes it; to be read before it is committed. */
const RECORD = 'declared.txt';

test('what is said of each tool, to models and to the gate, is what was agreed', async () => {
  const { app } = await openCommands({ config: { plugins: { tasks: { enabled: true } } } });
  await expect(`${app.tools.toolbox.list().map(entryOf).join('\n\n')}\n`).toMatchFileSnapshot(RECORD);
});

function entryOf({ name, positional, description, aliases, input, output, ...more }: Tool): string {
  const { policy, provenance, durability, presentation } = more;
  const labels = Object.entries({ ...more, ...policy, ...provenance, ...durability, ...presentation }).filter(
    ([, value]) => ['string', 'boolean', 'number'].includes(typeof value),
  );
  return [
    `${name}(${positional.join(', ')})`,
    description,
    labels.map(([label, value]) => `${label} ${JSON.stringify(value)}`).join(', '),
    `aliases: ${JSON.stringify(aliases)}`,
    `input: ${schemaOf(input, 'input')}`,
    `output: ${output ? schemaOf(output, 'output') : 'anything'}`,
  ].join('\n');
}

function schemaOf(type: z.ZodType, io: 'input' | 'output'): string {
  const { $schema: _draft, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' });
  return JSON.stringify(schema);
}
