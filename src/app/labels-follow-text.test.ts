import { expect, onTestFinished, test } from 'vitest';
import type { Mode } from '../base/turn.ts';
import { temporaryFolder } from '../testing/home.ts';
import type { Order } from '../testing/hostile-world.ts';
import { marksIn, openMarkedHome, type Shown } from '../testing/marked-home.ts';
import type { Tool } from '../tools/tool.ts';

const MODES: readonly Mode[] = ['classic_tools', 'code_agent'];

/** The planted texts that a call said without their labels. What it was given is no news. */
function unlabelled({ order, text, ...labels }: Shown): string[] {
  const given = new Set(marksIn(order.args).map(({ mark }) => mark));
  return marksIn(text)
    .filter(({ mark }) => !given.has(mark))
    .filter(({ writer }) => (writer !== 'web' && !labels.private) || (writer !== 'mine' && !labels.untrusted))
    .map(({ mark }) => mark);
}

test('no tool says what a store holds without its labels, in a result, an error or a preview', async () => {
  const home = await openMarkedHome(temporaryFolder());
  onTestFinished(() => home.app.close());
  const planters = { mine: await home.plant('mine'), theirs: await home.plant('theirs') };
  await home.look();
  const failures: string[] = [];
  const telling = new Map<string, Order>();
  const silent: string[] = [];
  const probe = async (tool: Tool) => {
    let told = false;
    for await (const shown of home.probe(tool)) {
      const { order, text, ok } = shown;
      const missing = unlabelled(shown);
      if (missing.length > 0) failures.push(`${tool.name} ${JSON.stringify(order.args)}: ${missing.join(' ')}`);
      const marks = marksIn(text);
      told ||= marks.length > 0;
      if (ok && marks.some(({ writer }) => writer !== 'mine')) telling.set(tool.name, order);
    }
    if (!told) silent.push(tool.name);
  };
  const { reading, changing } = await home.tools();
  for (const tool of reading) await probe(tool);
  for (const mode of MODES)
    for (const order of telling.values())
      expect([mode, order, await home.ask(mode, order)]).toMatchObject([mode, order, { untrusted: true }]);
  for (const tool of changing) await probe(tool);
  const stores = await home.stores();
  process.stderr.write(
    [
      `stores that hold a planted text: ${stores.join(', ')}`,
      `tools that keep text: ${planters.theirs.join(', ')}`,
      `tools that tell text of others: ${[...telling.keys()].join(', ')}`,
      `tools that tell none: ${silent.join(', ')}\n`,
    ].join('\n'),
  );
  expect(failures).toEqual([]);
}, 300_000);
