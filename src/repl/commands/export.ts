import { writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { toJson, toMarkdown } from '../../conversation/export.ts';
import type { Command, CommandCall } from '../command.ts';
import { conversationOf } from '../conversation.ts';

/** Named with a suffix because `export` is a word of the language. */
export const exportCommand: Command = {
  name: 'export',
  summary: 'Write a conversation as Markdown or JSON',
  usage: ['export [ID] [--out FILE.md|FILE.json]'],
  flags: { out: { type: 'string' } },
  async run(call) {
    const id = conversationOf(call);
    const { out, flags, session, app } = call;
    if (typeof flags.out === 'string') return writeTo(call, id, flags.out);
    if (session.json) out.row(toJson(app.archive, id));
    else out.line(toMarkdown(app.archive, id).trimEnd());
    return 0;
  },
};

function writeTo({ app, out }: CommandCall, id: string, path: string): number {
  const { archive } = app;
  const text =
    extname(path) === '.json' ? `${JSON.stringify(toJson(archive, id), null, 2)}\n` : toMarkdown(archive, id);
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    throw new AssistantError('path_refused', `${path} cannot be written: ${messageOf(error)}.`, {
      hint: 'Choose a file that does not exist yet, in a folder that does.',
      cause: error,
    });
  }
  out.row({ conversationId: id, path });
  out.line(`Written to ${path}.`);
  return 0;
}
