import { expect, test } from 'vitest';
import { HomeContext } from './home-context.ts';

test('what a home starts, and what that starts, belongs to it; nothing else does', async () => {
  const [anna, ben] = [new HomeContext(), new HomeContext()];
  const seen: unknown[] = [];
  const work = async () => {
    await Promise.resolve();
    seen.push(HomeContext.current);
    await new Promise(setImmediate);
    seen.push(HomeContext.current);
    return 'done';
  };
  expect(await Promise.all([anna.run(work), ben.run(work)])).toEqual(['done', 'done']);
  expect(seen).toHaveLength(4);
  for (const [nth, home] of [anna, ben, anna, ben].entries()) expect(seen[nth]).toBe(home);
  expect(anna.run(() => ben.run(() => HomeContext.current))).toBe(ben);
  expect(HomeContext.current).toBeUndefined();
});
