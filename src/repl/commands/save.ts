import { AssistantError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { Command } from '../command.ts';
import { commandCalls } from '../command-calls.ts';
import { badUsage } from '../flags.ts';

/**
 * Save what the last request of a conversation did as a program: the owner is shown it and asked, then it is rehearsed
 * without its effects. Row: `{name, state, source, notes, would, problem?}`; exit code 1 when it stays off.
 */
export const save: Command = {
  name: 'save',
  summary: 'Save what the last request did as a program',
  group: 'Programs',
  usage: ['save [NAME]          the last request of this conversation', 'save [NAME] -c ID    of another one'],
  examples: ['save morning-brief', 'save invoice-check -c conv_1a2b3c'],
  async run(call) {
    const { args, out, session, signal } = call;
    const { conversationId } = session;
    if (conversationId === undefined)
      throw badUsage(
        'It is not clear which conversation is meant.',
        'Name one: save NAME -c ID; "sessions" lists them.',
      );
    const calls = commandCalls(call, conversationId);
    const result = await calls.call('save_program', args.length === 0 ? {} : { name: args.join(' ') }, signal);
    if (!result.ok) throw new AssistantError('bad_usage', result.error, { hint: HINT });
    const saved = isRecord(result.value) ? result.value : {};
    out.row(saved);
    out.line(String(saved.source).trimEnd());
    for (const would of [saved.would].flat()) out.line(`  would call ${String(would)}`);
    for (const note of [saved.notes].flat()) out.line(`  not in it: ${String(note)}`);
    if (saved.state === 'on') out.line(`Saved, and on: "run ${String(saved.name)}" does it again.`);
    else out.line(`Saved as programs/${String(saved.name)}.tl, but off: ${String(saved.problem)}`);
    return saved.state === 'on' ? 0 : 1;
  },
};

const HINT = 'docs/programs.md says what can be saved.';
