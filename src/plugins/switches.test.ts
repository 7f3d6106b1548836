import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { Switches } from './switches.ts';

test('changes of many at once are all kept, also those of another program', async () => {
  const path = join(temporaryFolder(), 'state', 'plugins.json');
  const [one, other] = [new Switches(path), new Switches(path)];
  await other.set('theirs', { enabled: true });
  const names = Array.from({ length: 20 }, (_, n) => `p${n}`);
  await Promise.all(names.map((name) => one.set(name, { enabled: false })));
  const read = new Switches(path);
  for (const name of names) expect([name, read.of(name)]).toEqual([name, { enabled: false }]);
  expect(read.of('theirs')).toEqual({ enabled: true });
});
