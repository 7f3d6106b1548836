import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OutsideCalls } from '../../agent/outside-calls.ts';
import { type Mode, NOBODY_TO_ASK } from '../../base/turn.ts';
import type { App } from '../../face/app.ts';
import { LISTS_FOLDER } from '../../rag/project-file-names.ts';
import { type Item, parseItems } from '../../tools/builtin/lists.ts';
import { Refused } from './problem.ts';

/** The owner's lists in a project, with their items. @param project  its folder. */
export async function ownLists(project: string): Promise<{ name: string; items: readonly Item[] }[]> {
  const folder = join(project, LISTS_FOLDER);
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.md'));
  return Promise.all(
    files.map(async (file) => ({
      name: file.slice(0, -3),
      items: parseItems(await readFile(join(folder, file), 'utf8')),
    })),
  );
}

/** Change a list as its tool does: it is recorded, and can be undone. @throws Refused 400 with the reason. */
export async function tickItems(
  { store, tools, home }: Pick<App, 'store' | 'tools' | 'home'>,
  { signal, ...place }: { readonly project: string; readonly mode: Mode; readonly signal: AbortSignal },
  change: { readonly list: string; readonly tick: readonly string[] },
): Promise<void> {
  const calls = new OutsideCalls({
    ...{ store, toolbox: tools.toolbox, origin: 'http', unlisted: true, ...place },
    context: () => ({
      ...{ signal, now: () => new Date(), timeZone: home.timeZone, show: () => {} },
      approve: async () => NOBODY_TO_ASK,
    }),
  });
  const result = await calls.call('change_list', change);
  if (!result.ok) throw new Refused(400, 'failed', result.error);
}
