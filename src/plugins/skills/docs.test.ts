import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { openCommands } from '../../testing/commands.ts';
import { temporaryFolder } from '../../testing/home.ts';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../../docs/skills.md'), 'utf8');
const BLOCK = /^```(\w+)(?: (\S+))?\n(.*?)^```$/gmsu;

test('the skill of docs/skills.md is added, checked and trusted as the page says', async () => {
  const folder = temporaryFolder();
  const { run, app } = await openCommands({ session: { yes: true } });
  const shown: string[] = [];
  for (const [, kind, path, content = ''] of PAGE.matchAll(BLOCK)) {
    if (kind === 'md' && path !== undefined) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    } else if (kind === 'sh') {
      for (const line of content.trim().split('\n')) {
        const words = line.replace('wooster ', '').replace(' --yes', '').replace('add tea', `add ${folder}/tea`);
        const { code, lines } = await run(words.split(' '));
        expect(code, line).toBe(0);
        shown.push(lines.join('\n'));
      }
    } else if (kind === 'text') expect(shown.at(-1)).toBe(content.trimEnd());
  }
  expect(shown).toHaveLength(4);
  const amounts = await app.knowledge.skills.read('tea', 'home', 'references/amounts.md');
  expect(amounts.text).toBe('One spoon for each guest, and one for the pot.\n');
});
