import { writeFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { toJson, toMarkdown } from '../../conversation/export.ts';
import { createCounters } from '../../conversation/tokens.ts';
import { fileThing } from '../../tools/gate/origins.ts';
import type { Command, CommandCall } from '../command.ts';
import { badUsage, textFlag } from '../flags.ts';
import { inspectionContext, inspectionTurn } from '../inspection.ts';

export const newCommand: Command = {
  name: 'new',
  summary: 'Start a new conversation',
  group: 'Conversations',
  usage: ['new'],
  examples: ['new'],
  basic: true,
  only: 'slash',
  async run({ session, out }) {
    // The first turn gives it an id.
    session.conversationId = undefined;
    out.line('Started a new conversation. /resume goes back to an older one.');
    return 0;
  },
};

/**
 * Counts what the next turn would send, without calling a model. Row: window, threshold and tokens of each part. With
 * `--raw` every prompt and declaration is printed as it is sent, one row each. `compact` calls the model once, for the
 * summary; its row has the tokens before and after, and the number of messages summarised.
 */
export const context: Command = {
  name: 'context',
  summary: "Show what fills the model's context window, or summarise it",
  group: 'Conversations',
  usage: ['context [ID] [--raw]', 'context compact [ID]    summarise all but the last exchange'],
  examples: ['context', 'context compact', 'context --raw -c house'],
  aliases: { compact: ['compact'] },
  flags: { raw: { type: 'boolean' } },
  async run(call) {
    const { args, out, app, flags } = call;
    if (args[0] === 'compact') return compact({ ...call, args: args.slice(1) });
    if (flags.raw === true) return rawPrompts(call);
    const report = await app.turns.agent.context(inspectionTurn(call, conversationOf(call)), inspectionContext(call));
    out.row(report);
    const percent = (tokens: number) => `${((100 * tokens) / report.window).toFixed(1)} %`.padStart(7);
    out.line(`${report.model}: ${report.total} of ${report.window} tokens; summarised above ${report.threshold}.`);
    for (const { name, tokens, messages } of report.parts) {
      const count = messages > 1 ? ` (${messages} messages)` : '';
      out.line(`  ${name.padEnd(16)} ${String(tokens).padStart(8)} ${percent(tokens)}${count}`);
    }
    return 0;
  },
};

/** The tokenizer that `--raw` counts with, whichever model is used. */
const COUNTED_AS = 'gpt-4o';

async function rawPrompts(call: CommandCall): Promise<number> {
  const { out, app } = call;
  const counter = await createCounters()(COUNTED_AS);
  const turn = inspectionTurn(call, conversationOf(call));
  for (const { name, text } of await app.turns.agent.prompts(turn, inspectionContext(call))) {
    const tokens = counter.text(text);
    out.show({ name, tokens, text }, `===== ${name}: ${tokens} tokens\n${text}\n`);
  }
  return 0;
}

async function compact(call: CommandCall): Promise<number> {
  const { app, out } = call;
  const { id } = await app.turns.archive.get(conversationOf(call));
  const report = await app.turns.agent.compact(inspectionTurn(call, id), inspectionContext(call));
  out.row(report);
  const kept = 'Nothing was deleted; "export" still shows it all.';
  if (report.messages === 0) out.line('There is nothing to summarise yet.');
  else out.line(`Summarised: ${report.before} tokens became ${report.after}. ${kept}`);
  return 0;
}

/** `sessions branch`: copy the conversation and make the copy the current one. */
export async function branch(call: CommandCall): Promise<number> {
  const from = conversationOf(call);
  const id = await call.app.turns.archive.branch(from);
  call.session.conversationId = id;
  call.out.show({ id, from }, `Now in ${id}, a copy of ${from}; the original is unchanged.`);
  return 0;
}

/** `sessions export`: to stdout unless `--out` names a new file. */
export async function exportTalk(call: CommandCall): Promise<number> {
  const id = conversationOf(call);
  const { out, flags, session, app } = call;
  const path = textFlag(flags, 'out');
  if (path !== undefined) return writeTo(call, id, path);
  if (session.json) out.row(await toJson(app.turns.archive, id));
  else out.line((await toMarkdown(app.turns.archive, id)).trimEnd());
  return 0;
}

async function writeTo({ app, out }: CommandCall, id: string, path: string): Promise<number> {
  const { archive } = app.turns;
  const { read_untrusted, label_sources } = await archive.get(id);
  // A document of what others wrote is theirs as well.
  const labels = { untrusted: read_untrusted === 1, private: true, sources: JSON.parse(label_sources) as string[] };
  const { origins } = app.knowledge;
  const written = fileThing(resolve(path));
  const text =
    extname(path) === '.json'
      ? `${JSON.stringify(await toJson(archive, id), null, 2)}\n`
      : await toMarkdown(archive, id);
  const unmark = await origins.begin(written, labels);
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    await unmark();
    throw new AssistantError('path_refused', `Cannot write ${path}: ${messageOf(error)}.`, {
      hint: 'Choose a file that does not exist yet, in a folder that does.',
      cause: error,
    });
  }
  await origins.mark(written, labels, true);
  out.show({ conversationId: id, path }, `Written to ${path}.`);
  return 0;
}

/** @throws AssistantError `bad_usage` when none is named and none is open. */
export function conversationOf({ args, session, place }: CommandCall): string {
  const id = args[0] ?? session.conversationId;
  if (id !== undefined) return id;
  const hint =
    place === 'slash'
      ? 'Ask something first, or name one: /sessions lists them.'
      : 'Name one: "wooster sessions" lists them.';
  throw badUsage('No conversation is open.', hint);
}
