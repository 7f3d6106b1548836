import { expect, test } from 'vitest';
import { openCommands } from '../../testing/commands.ts';

test('deleting a project that is not there does not offer to create it', async () => {
  const { run } = await openCommands({ replies: [] });
  await expect(run(['project', 'delete', 'nope'])).rejects.toMatchObject({
    code: 'unknown_project',
    hint: expect.not.stringContaining('create'),
  });
});
