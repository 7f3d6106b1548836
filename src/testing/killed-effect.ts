import { join } from 'node:path';
import { openTestStore } from './stores.ts';
import { undoWorld } from './undo-world.ts';

/** Overwrites a file and dies by SIGKILL on the way: `node killed-effect.ts HOME kept|written`. */
const [, , dir = '', when = ''] = process.argv;
const world = undoWorld(await openTestStore(join(dir, 'w.sqlite3')), dir);
const die = () => {
  process.kill(process.pid, 'SIGKILL');
  // The signal is delivered a moment later; nothing may happen in between.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};
const { states, files } = world;
if (when === 'kept') {
  const keep = states.keep.bind(states);
  // The version is committed in the same transaction, so die when that has ended.
  states.keep = async (...given) => {
    await keep(...given);
    setImmediate(die);
  };
} else {
  const write = files.write.bind(files);
  files.write = async (...given) => {
    await write(...given);
    die();
  };
}
await world.call('read_file', { path: 'garden.md' });
await world.call('write_file', { path: 'garden.md', content: 'tulips' });
