import { codeBlocks } from '../../base/code-blocks.ts';
import { AssistantError } from '../../base/errors.ts';
import { callsOf, resultOf } from '../../conversation/messages.ts';
import type { Turns } from '../app.ts';
import type { Command, CommandCall } from '../command.ts';

type Row = Awaited<ReturnType<Turns['archive']['messages']>>[number];

/** Row: `{text}`. */
export const last: Command = {
  name: 'last',
  summary: 'Print the last answer again, as it was written',
  group: 'Conversations',
  usage: ['last'],
  examples: ['last'],
  only: 'slash',
  async run(call) {
    const text = lastAnswer(await rowsOf(call));
    call.out.row({ text });
    call.out.line(text);
    return 0;
  },
};

/** Puts text on the clipboard through the terminal (OSC 52), only when asked. Row: `{copied}`, in characters. */
export const copy: Command = {
  name: 'copy',
  summary: 'Copy the last answer, or its last code block, to the clipboard',
  group: 'Conversations',
  usage: ['copy', 'copy code'],
  examples: ['copy code'],
  only: 'slash',
  async run(call) {
    const { args, out } = call;
    if (args[0] !== undefined && args[0] !== 'code') {
      throw new AssistantError('bad_usage', `"copy ${args[0]}" is not clear.`, { hint: 'Use copy, or copy code.' });
    }
    const answer = lastAnswer(await rowsOf(call));
    const text = args[0] === 'code' ? lastCode(answer) : answer;
    if (text === undefined) {
      throw new AssistantError('bad_usage', 'The last answer has no code block.', { hint: 'Use copy for all of it.' });
    }
    if (!out.copy(text)) {
      throw new AssistantError('bad_usage', 'There is no terminal whose clipboard could be used.', {
        hint: 'Use last, and select the text.',
      });
    }
    out.row({ copied: text.length });
    out.line(`Copied ${text.length} characters, if your terminal allows it.`);
    return 0;
  },
};

/** Rows: the messages of the turn, `{kind, content}`. */
export const details: Command = {
  name: 'details',
  summary: 'Show the calls, scripts and results of the last turn in full',
  group: 'Conversations',
  usage: ['details'],
  examples: ['details'],
  only: 'slash',
  async run(call) {
    const rows = await rowsOf(call);
    const turn = rows.at(-1)?.turn_id;
    const steps = rows.filter(({ turn_id, kind }) => turn_id === turn && kind !== 'text' && kind !== 'answer');
    for (const { kind, content } of steps) call.out.row({ kind, content });
    for (const step of steps) call.out.line(describe(step));
    if (steps.length === 0) call.out.line('The last turn called no tool and ran no script.');
    return 0;
  },
};

async function rowsOf({ app, session }: CommandCall): Promise<readonly Row[]> {
  return session.conversationId === undefined ? [] : app.turns.archive.messages(session.conversationId);
}

/** @throws AssistantError `bad_usage` before the first answer. */
function lastAnswer(rows: readonly Row[]): string {
  const answer = rows.findLast(({ kind, role }) => kind === 'answer' || (kind === 'text' && role === 'assistant'));
  if (answer) return answer.content;
  throw new AssistantError('bad_usage', 'Nothing has been answered in this conversation yet.', {
    hint: 'Ask something first, or /resume a conversation.',
  });
}

function lastCode(answer: string): string | undefined {
  const block = codeBlocks(answer).at(-1);
  return block && answer.slice(block.start, block.end).split('\n').slice(1, -1).join('\n');
}

function describe({ kind, content }: Row): string {
  switch (kind) {
    case 'tool_calls': {
      const { text, calls } = callsOf(content);
      const lines = calls.map(({ name, args }) => `call ${name} ${JSON.stringify(args, null, 2)}`);
      return [...(text === '' ? [] : [text]), ...lines].join('\n');
    }
    case 'tool_result': {
      const { name, ok, text } = resultOf(content);
      return `${ok ? 'result of' : 'failed:'} ${name}\n${text.replace(/^/gmu, '  ')}`;
    }
    case 'code':
      return `script\n${content.replace(/^/gmu, '  ')}`;
    default:
      return `${kind}\n${content.replace(/^/gmu, '  ')}`;
  }
}
