import { describe, expect, test } from 'vitest';
import { arrived, type ScriptedChild, scriptChildren } from '../testing/scripted-children.ts';
import { procFiles, scriptUsage } from '../testing/scripted-usage.ts';
import { Pool } from './pool.ts';
import { TurnChild } from './turn-child.ts';

const FILES = { program: 'program', prelude: 'prelude', addon: '/addon.node' };

/** A turn whose children are ready at once, also once more. */
function turnOf(start = (child: ScriptedChild) => child.onFrame(({ script }) => child.say(script, 'ready'))) {
  const usage = scriptUsage('linux');
  const children = scriptChildren((child) => {
    child.say(1, 'ready');
    start(child);
  });
  const use = (rssMb: number) => {
    for (const { pid } of children)
      for (const [path, text] of procFiles(pid, { user: 1, system: 1, pages: rssMb * 256 }))
        usage.files.set(path, text);
  };
  const may = { share: true };
  const turn = new TurnChild(new Pool({ size: 1, timeZone: 'UTC', files: FILES }), () => may.share);
  return { turn, children, use, may };
}

test('a child is the only one of its turn as long as all goes well, and keeps our process alive in its scripts', async () => {
  const { turn, children } = turnOf();
  for (let n = 0; n < 3; n++) {
    const worker = await turn.take(64);
    expect([worker.pid, children[0]?.held]).toEqual([children[0]?.pid, true]);
    turn.giveBack(worker, true);
    expect(children[0]?.held).toBe(false);
  }
  expect(children).toHaveLength(1);
  expect(children[0]?.heard()).toMatchObject([{ type: 'renew' }, { type: 'renew' }, { type: 'renew' }]);
});

test('a script beside another one has a child of its own', async () => {
  const { turn, children } = turnOf();
  const [first, second] = [await turn.take(64), await turn.take(64)];
  expect([first.pid, second.pid]).toEqual(children.map(({ pid }) => pid));
});

test('a child runs 50 scripts', async () => {
  const { turn, children } = turnOf();
  for (let n = 0; n < 50; n++) turn.giveBack(await turn.take(64), true);
  expect(children.map(({ killed }) => killed)).toEqual(['SIGKILL']);
  await turn.take(64);
  expect(children).toHaveLength(2);
});

describe('a child is not given to the next script', () => {
  test.each([
    ['with as much memory as it may have', 110, 1],
    ['with more memory than that', 111, 2],
  ])('unless it is one %s', async (_which, rssMb, count) => {
    const { turn, children, use } = turnOf();
    const worker = await turn.take(64);
    use(rssMb);
    turn.giveBack(worker, true);
    await turn.take(64);
    expect(children.map(({ killed }) => killed)).toEqual(count === 1 ? [undefined] : ['SIGKILL', undefined]);
  });

  test.each([
    ['that ended badly', false, true, 64],
    ['once nothing may be shared', true, false, 64],
    ['that needs other memory', true, true, 96],
  ])('%s', async (_which, clean, share, memoryMb) => {
    const { turn, children, may } = turnOf();
    const worker = await turn.take(64);
    turn.giveBack(worker, clean);
    may.share = share;
    await turn.take(memoryMb);
    expect(children.map(({ killed }) => killed)).toEqual(['SIGKILL', undefined]);
  });

  test('where nothing may be shared from the beginning', async () => {
    const { turn, children, may } = turnOf();
    may.share = false;
    turn.giveBack(await turn.take(64), true);
    expect(children.map(({ killed }) => killed)).toEqual(['SIGKILL']);
  });

  test('that has died since', async () => {
    const { turn, children } = turnOf();
    turn.giveBack(await turn.take(64), true);
    await arrived();
    children[0]?.end(1, null);
    await arrived();
    await turn.take(64);
    expect(children).toHaveLength(2);
  });

  test('that never gets ready again', async () => {
    const { turn, children } = turnOf((child) => child.onFrame(() => child.end(1, null)));
    turn.giveBack(await turn.take(64), true);
    await turn.take(64);
    expect(children).toHaveLength(2);
  });
});

describe('ahead of a script', () => {
  test('a child is started where the turn has none', async () => {
    const { turn, children } = turnOf();
    turn.warm(64);
    expect(children).toHaveLength(1);
    expect((await turn.take(64)).pid).toBe(children[0]?.pid);
  });

  test('none is started where the turn has one', async () => {
    const { turn, children } = turnOf();
    turn.giveBack(await turn.take(64), true);
    turn.warm(64);
    expect(children).toHaveLength(1);
    turn.warm(96);
    expect(children.map(({ killed }) => killed)).toEqual(['SIGKILL', undefined]);
  });
});

describe('at the end of a turn', () => {
  test('its child is killed', async () => {
    const { turn, children } = turnOf();
    await turn.take(64);
    turn.close();
    expect(children.map(({ killed }) => killed)).toEqual(['SIGKILL']);
  });

  test('a child that is still being started is killed once it is there', async () => {
    const { turn, children } = turnOf();
    const taken = turn.take(64);
    turn.close();
    await taken;
    expect(children.map(({ killed }) => killed)).toEqual(['SIGKILL']);
  });

  test('a child that is given back is killed', async () => {
    const { turn, children } = turnOf();
    const worker = await turn.take(64);
    turn.close();
    turn.giveBack(worker, true);
    expect(children.map(({ killed }) => killed)).toEqual(['SIGKILL']);
    expect(children[0]?.heard()).toEqual([]);
  });

  test('without a child there is nothing to do', () => {
    const { turn, children } = turnOf();
    turn.close();
    expect(children).toEqual([]);
  });
});
