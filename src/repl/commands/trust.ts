import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AssistantError } from '../../base/errors.ts';
import { absolutePath } from '../../rag/places.ts';
import type { Command, CommandCall } from '../command.ts';
import { badUsage } from '../flags.ts';

/**
 * Declare whose text a file or a folder is. A file is trusted as it is now, a folder with everything that is ever in
 * it; with `--not` both are untrusted, whatever they hold now or later. Rows: `{path, trust}`.
 */
export const trust: Command = {
  name: 'trust',
  summary: "Take the text of a file or a folder as your own, or as others'",
  group: 'Tools and approvals',
  usage: [
    'trust PATH          yours: a file as it is now, or a folder with everything in it',
    'trust --not PATH    written by others: a file or a folder, whatever it holds now or later',
  ],
  examples: ['trust notes/from-anna.md', 'trust --not downloads'],
  flags: { not: { type: 'boolean' } },
  aliases: { untrust: ['--not'] },
  run: declare,
};

async function declare({ args, flags, session, app, out }: CommandCall): Promise<number> {
  const untrusted = flags.not === true;
  const given = args.join(' ').trim();
  if (given === '') throw badUsage('The path is missing.', 'Usage: trust [--not] PATH');
  const { projects } = app.knowledge;
  // As a person types it, as `sources` shows it, and as messages name it.
  const places = [resolve(given), join(projects.folder(session.project), given), absolutePath(projects.places, given)];
  const path = places.find((place) => statSync(place, { throwIfNoEntry: false }) !== undefined);
  if (path === undefined) {
    const hint = 'Give a path from here, from the project, or an absolute one; "sources" lists the files.';
    throw new AssistantError('file_not_found', `There is no file or folder ${given}.`, { hint });
  }
  const folder = statSync(path).isDirectory();
  const stored = await app.knowledge.origins.files.declare(path, { untrusted, folder });
  out.row({ path: stored, trust: untrusted ? 'untrusted' : 'owner' });
  out.line(`${stored} ${untrusted ? 'is untrusted: its text is read, but it gives no orders.' : 'is yours.'}`);
  return 0;
}
