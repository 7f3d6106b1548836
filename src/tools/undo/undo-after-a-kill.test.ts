import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { killAtWrite } from '../../testing/kill-at-write.ts';
import { act, LOCAL_EFFECTS, prepared } from '../../testing/local-effects.ts';
import { openTestStore } from '../../testing/stores.ts';
import { type UndoWorld, undoWorld } from '../../testing/undo-world.ts';
import { effectsOf } from '../gate/effect-rows.ts';

async function world(path: string, dir: string): Promise<UndoWorld> {
  const store = await openTestStore(path);
  onTestFinished(() => store.close());
  return undoWorld(store, dir);
}

const SMALL = Object.entries(LOCAL_EFFECTS).filter(([title]) => !title.includes('large'));

describe.each(SMALL)('%s', (_, effect) => {
  /** Kill the program at each of its writes in turn, while it acts or while it undoes; then undo. */
  const killAnywhere = async (during: 'act' | 'undo') => {
    for (let at = 1, finished = false; !finished; at++) {
      const dir = temporaryFolder();
      const path = join(dir, 'w.sqlite3');
      const first = await world(path, dir);
      const input = await prepared(first, effect);
      const before = await first.everything();
      if (during === 'undo') await act(first, effect, input);
      await first.store.close();

      const killed = await killAtWrite(path, at);
      const dying = undoWorld(killed.store, dir);
      const work: Promise<unknown> = during === 'act' ? act(dying, effect, input) : dying.undo.newest('home');
      await work.catch(() => undefined);
      finished = killed.writes() < at;
      await killed.die();

      const again = await world(path, dir);
      await again.undo.newest('home');
      expect(await again.everything(), `killed at write ${at}`).toEqual(before);
      await again.store.close();
    }
  };

  test('is undone wherever the program was killed', () => killAnywhere('act'), 60_000);

  test('is undone although undoing was killed', () => killAnywhere('undo'), 60_000);
});

test.each(['kept', 'written'])('killed for real when a file was %s, it is as before after undo', async (when) => {
  const dir = temporaryFolder();
  const path = join(dir, 'w.sqlite3');
  mkdirSync(join(dir, 'projects/home'), { recursive: true });
  writeFileSync(join(dir, 'projects/home/garden.md'), 'roses');
  const script = join(import.meta.dirname, '../../testing/killed-effect.ts');
  const child = spawnSync(process.execPath, [script, dir, when], { encoding: 'utf8' });
  expect(child.stderr).toBe('');
  expect(child.signal).toBe('SIGKILL');
  const here = await world(path, dir);
  const file = join(here.folder, 'garden.md');
  expect(readFileSync(file, 'utf8')).toBe(when === 'kept' ? 'roses' : 'tulips');
  const [effect] = await effectsOf(here.store, 'turn_1');
  expect(effect).toMatchObject({ state: 'intent' });
  expect(await here.undo.newest('home')).toEqual(
    when === 'kept' ? undefined : expect.objectContaining({ outcome: 'undone' }),
  );
  expect(readFileSync(file, 'utf8')).toBe('roses');
});
