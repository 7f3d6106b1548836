import { codeBlocks } from '../../base/code-blocks.ts';
import { AssistantError } from '../../base/errors.ts';
import { callsOf, resultOf } from '../../conversation/stored-calls.ts';
import type { Turns } from '../../face/app.ts';
import type { Command, CommandCall } from '../command.ts';
import { badUsage } from '../flags.ts';
import { unknownForm } from '../own-words.ts';

type Row = Awaited<ReturnType<Turns['archive']['messages']>>[number];

/**
 * Rows: `{text}`; `copy` gives `{copied}`, in characters, and `details` the messages of the turn, `{kind, content}`.
 */
export const last: Command = {
  name: 'last',
  summary: 'Print the last answer again, copy it, or show how it was found',
  group: 'Conversations',
  usage: [
    'last              the answer, as it was written',
    'last copy [code]  to the clipboard: the answer, or its last code block',
    'last details      the calls, scripts and results of the last turn in full',
  ],
  examples: ['last', 'last copy code'],
  aliases: { copy: ['copy'], details: ['details'] },
  only: 'slash',
  async run(call) {
    const [form, what] = call.args;
    if (form === 'copy') return copy(call, what);
    if (form === 'details') return details(call);
    if (form !== undefined) throw unknownForm(last, form);
    const text = lastAnswer(await rowsOf(call));
    call.out.show({ text }, text);
    return 0;
  },
};

/** Put text on the clipboard through the terminal (OSC 52). */
async function copy(call: CommandCall, what: string | undefined): Promise<number> {
  const { out } = call;
  if (what !== undefined && what !== 'code') {
    throw badUsage(`"last copy ${what}" is not clear.`, 'Use copy, or copy code.');
  }
  const answer = lastAnswer(await rowsOf(call));
  const text = what === 'code' ? lastCode(answer) : answer;
  if (text === undefined) throw badUsage('The last answer has no code block.', 'Use copy for all of it.');
  if (!out.copy(text)) {
    throw badUsage('There is no terminal whose clipboard could be used.', 'Use last, and select the text.');
  }
  out.show({ copied: text.length }, `Copied ${text.length} characters, if your terminal allows it.`);
  return 0;
}

async function details(call: CommandCall): Promise<number> {
  const rows = await rowsOf(call);
  const turn = rows.at(-1)?.turn_id;
  const steps = rows.filter(({ turn_id, kind }) => turn_id === turn && kind !== 'text' && kind !== 'answer');
  for (const { kind, content } of steps) call.out.row({ kind, content });
  for (const step of steps) call.out.line(describe(step));
  if (steps.length === 0) call.out.line('The last turn called no tool and ran no script.');
  return 0;
}

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
