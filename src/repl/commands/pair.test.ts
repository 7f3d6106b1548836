import { expect, test } from 'vitest';
import { openCommands } from '../../testing/commands.ts';
import { askedDoor } from '../door-commands.ts';

test('a link to where nobody answers comes with how somebody would', async () => {
  const { run, app } = await openCommands();
  const nobody = await run(['pair']);
  expect(nobody.lines.join('\n')).toContain('/pair#');
  expect(nobody.notes.join('\n')).toContain('wooster serve --http');
  const door = await app.doors.openHttp({
    ...askedDoor(app, { mode: 'classic_tools', project: 'home' }),
    address: '127.0.0.1:0',
  });
  const open = await run(['pair']);
  expect(open.lines.join('\n')).toContain(`${door.url}/pair#`);
  expect(open.notes).toEqual([]);
});
