/** One engine in a process of its own: `engine-program.mjs MODULE NAME`. Takes `{ id, source }` and `{ id, ping }`. */
import { pathToFileURL } from 'node:url';

const [module, name] = process.argv.slice(2);
const engine = await (await import(pathToFileURL(module).href)).ENGINES[name]();
process.on('message', async ({ id, source }) => {
  if (source === undefined) {
    process.send({ id });
    return;
  }
  try {
    const value = await engine.run(source);
    // A large value is the host's problem, not that of this line.
    process.send({ id, value: typeof value === 'string' && value.length > 1000 ? 'long' : value });
  } catch (error) {
    process.send({ id, error: String(error?.message ?? error).slice(0, 200) });
  }
});
process.on('disconnect', () => process.exit());
process.send({ id: 0 });
