import { newId } from '../../base/ids.ts';
import type { Command, CommandCall } from '../command.ts';
import { unknownForm } from '../own-words.ts';

/**
 * A container for one conversation: file tools and commands work inside it, with limits that are tested when it starts.
 * Row: `{conversationId, on, files?}`. Turning it off keeps its files.
 */
export const workspace: Command = {
  name: 'workspace',
  summary: 'Turn the sandboxed workspace of the conversation on or off',
  group: 'Tools and approvals',
  usage: ['workspace', 'workspace on', 'workspace off'],
  examples: ['workspace on'],
  async run(call) {
    const [form = 'status'] = call.args;
    if (form === 'on') return turnOn(call);
    if (form === 'off') return turnOff(call);
    if (form === 'status') return status(call);
    throw unknownForm(workspace, form);
  },
};

/** A session without a conversation gets one now, since a workspace belongs to a conversation. */
async function turnOn({ session, app, out }: CommandCall): Promise<number> {
  session.conversationId ??= newId('conv');
  const id = session.conversationId;
  out.progress('Testing the limits of the workspace …');
  const backend = await app.turns.workspaces.turnOn(id);
  const files = app.turns.workspaces.files(id);
  out.row({ conversationId: id, on: true, backend, files });
  out.line(`The workspace is on (${backend}): the file tools and execute_command work inside it.`);
  out.line(`Its files are in ${files}.`);
  return 0;
}

async function turnOff({ session, app, out }: CommandCall): Promise<number> {
  const id = session.conversationId;
  if (id !== undefined) await app.turns.workspaces.turnOff(id);
  out.show({ conversationId: id, on: false }, 'The workspace is off; its files are kept.');
  return 0;
}

async function status({ session, app, out }: CommandCall): Promise<number> {
  const id = session.conversationId;
  const files = id !== undefined && app.turns.workspaces.isOn(id) ? app.turns.workspaces.files(id) : undefined;
  const on = files !== undefined;
  const off = 'The workspace is off. "workspace on" turns it on.';
  out.show({ conversationId: id, on, files }, on ? `The workspace is on; its files are in ${files}.` : off);
  return 0;
}
