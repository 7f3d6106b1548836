import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { brokenPluginsLine } from './repl/broken-plugins.ts';
import { temporaryFolder } from './testing/home.ts';
import { rows, wooster, woosterOnTerminal } from './testing/wooster.ts';

const LINE = 'Plugin tides does not work: no station. `wooster plugin list` says more.';
const env = { PLUGIN_TIDES_ENABLED: 'true' };

/** A home with a plugin that cannot start. */
function home(): string {
  const dir = temporaryFolder();
  mkdirSync(join(dir, 'user-plugins', 'tides'), { recursive: true });
  writeFileSync(
    join(dir, 'user-plugins', 'tides', 'index.ts'),
    `export default {
      name: 'tides', version: '1.0.0', description: 'x', initialize() { throw new Error('no station'); },
    };`,
  );
  return dir;
}

test('a plugin that cannot start is a line on stderr of ask, and the question is answered', async () => {
  const ran = await wooster(['ask', '2+2'], { home: home(), env });
  expect(ran).toMatchObject({ code: 0, stdout: '2+2 = 4\n', stderr: expect.stringContaining(LINE) });
});

test('and a line at the prompt', async () => {
  const program = woosterOnTerminal([], { home: home(), env });
  await program.see('Plugin tides does not work: no station.');
  program.type('/quit\r');
  expect(await program.ended()).toBe(0);
});

test('a plugin of a home without packages imports what LangChain tools need from the program', async () => {
  const dir = home();
  mkdirSync(join(dir, 'user-plugins', 'greeter'));
  writeFileSync(
    join(dir, 'user-plugins', 'greeter', 'index.ts'),
    `import { tool } from '@langchain/core/tools';
    import { z } from 'zod';
    const hello = tool(({ who }) => 'Hello ' + who, { name: 'hello', description: 'Greet.', schema: z.object({ who: z.string() }) });
    export default class Greeter { static pluginName = 'greeter'; static version = '1'; getAgentTools() { return [hello]; } }`,
  );
  const ran = await wooster(['plugins', '--json'], { home: dir, env: { PLUGIN_GREETER_ENABLED: 'true' } });
  expect(rows(ran.stdout)).toContainEqual(expect.objectContaining({ name: 'greeter', state: 'on', tools: ['hello'] }));
});

test('several are one line as well', () => {
  const failed = (name: string) => ({ name, state: 'failed', detail: 'no.\nstation.' }) as never;
  expect(brokenPluginsLine([failed('a'), failed('b'), failed('c')])).toMatch(
    /^Plugin a does not work: .*; nor do b, c\. /u,
  );
  expect(brokenPluginsLine([])).toBeUndefined();
});
