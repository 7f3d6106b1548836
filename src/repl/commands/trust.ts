import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AssistantError } from '../../base/errors.ts';
import { absolutePath } from '../../rag/places.ts';
import type { Command, CommandCall } from '../command.ts';

/**
 * The owner takes a file or a folder as their own: a file as it is now, a folder with all that is ever in it.
 * Rows: `{path, trust}`.
 */
export const trust: Command = {
  name: 'trust',
  summary: 'Take the text of a file or a folder as your own',
  group: 'Tools and approvals',
  usage: ['trust PATH        a file as it is now, or a folder with everything in it'],
  examples: ['trust notes/from-anna.md'],
  run: (call) => declare(call, false),
};

/** Say whose text a file or folder is, for both commands. */
export async function declare({ args, session, app, out }: CommandCall, untrusted: boolean): Promise<number> {
  const given = args.join(' ').trim();
  const name = untrusted ? 'untrust' : 'trust';
  if (given === '') {
    throw new AssistantError('bad_usage', 'The path is missing.', { hint: `Usage: ${name} PATH` });
  }
  const { projects } = app.knowledge;
  // As a person types it, as `sources` shows it, and as notices name it.
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
