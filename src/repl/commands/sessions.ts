import { counted } from '../../base/text.ts';
import type { FoundMessage, ListedConversation } from '../../conversation/archive.ts';
import { localDate, localTime } from '../../when/calendar.ts';
import type { Command, CommandCall } from '../command.ts';
import { badUsage, countFlag, isYes } from '../flags.ts';
import { unknownForm } from '../own-words.ts';
import { undoExchange } from '../undo-exchange.ts';
import { branch, exportTalk } from './conversation.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1_000_000;

/**
 * Past conversations. Rows: `{id, title, status, turns, lastTurn, project, updatedAt}`, or one search hit each.
 * `branch` gives `{id, from}`. `delete` asks first; with nobody to ask it needs `--yes`.
 */
export const sessions: Command = {
  name: 'sessions',
  summary: 'List, search, rename, copy, export or delete conversations',
  group: 'Conversations',
  chats: true,
  usage: [
    'sessions [--limit N]',
    'sessions search WORDS',
    'sessions rename ID TITLE',
    'sessions undo ID         take out the last exchange, and bring back what it changed',
    'sessions branch [ID]     continue in a copy of the conversation',
    'sessions export [ID] [--out FILE.md|FILE.json]',
    'sessions delete ID [--yes]',
  ],
  examples: [
    'sessions --limit 5',
    'sessions search boiler',
    'sessions rename house "The boiler"',
    'sessions export --out talk.md',
  ],
  flags: { limit: { type: 'string' }, out: { type: 'string' } },
  aliases: { branch: ['branch'], export: ['export'] },
  basic: true,
  async run(call) {
    const [form = 'list', ...rest] = call.args;
    if (form === 'list') return list(call);
    if (form === 'search') return search(call, rest.join(' '));
    if (form === 'rename') return rename(call, rest);
    if (form === 'branch') return branch({ ...call, args: rest });
    if (form === 'export') return exportTalk({ ...call, args: rest });
    if (form === 'undo') return undoExchange(call, needed(rest[0], 'undo'));
    if (form === 'delete') return remove(call, needed(rest[0], 'delete'));
    throw unknownForm(sessions, form);
  },
};

async function list({ app, out, flags, session }: CommandCall): Promise<number> {
  const limit = countFlag(flags, 'limit', { max: MAX_LIMIT, fallback: DEFAULT_LIMIT });
  const listed = await app.turns.archive.list({ limit });
  for (const each of listed) {
    out.show(each, listLine(each, { current: session.conversationId, timeZone: app.home.timeZone }));
  }
  if (listed.length === 0) out.line('No conversations yet.');
  return 0;
}

/** Times are the owner's, as in `schedule list`; rows keep the instant. */
function listLine(each: ListedConversation, at: { current: string | undefined; timeZone: string }): string {
  const mark = each.id === at.current ? '*' : ' ';
  const status = each.status === 'completed' && each.lastTurn === 'cut_off' ? 'cut off' : each.status;
  const state = status === 'completed' ? '' : ` [${status}]`;
  const when = localTime(new Date(each.updatedAt), at.timeZone).slice(0, 16);
  return `${mark} ${each.id}  ${when}  ${each.title} (${counted(each.turns, 'turn')}, ${each.project})${state}`;
}

async function search({ app, out }: CommandCall, words: string): Promise<number> {
  if (words.trim() === '') throw badUsage('There is nothing to search for.', 'Usage: sessions search WORDS');
  const found = await app.turns.archive.search(words);
  for (const each of found) out.show(each, foundLine(each, app.home.timeZone));
  if (found.length === 0) out.line('Nothing found.');
  return 0;
}

function foundLine({ conversationId, at, title, role, excerpt }: FoundMessage, timeZone: string): string {
  const who = role === 'user' ? 'you' : 'Wooster';
  const day = localDate(new Date(at), timeZone);
  return `${conversationId}  ${day}  ${title}\n    ${who}: ${excerpt.replace(/\s+/gu, ' ')}`;
}

async function rename({ app, out }: CommandCall, [id, ...title]: readonly string[]): Promise<number> {
  if (id === undefined || title.length === 0) {
    throw badUsage('sessions rename needs a conversation and its new title.', 'Usage: sessions rename ID TITLE');
  }
  await app.turns.archive.rename(id, title.join(' '));
  out.line(`${id} is now "${title.join(' ')}".`);
  return 0;
}

/** @throws AssistantError `bad_usage` without an id. */
function needed(id: string | undefined, form: string): string {
  if (id !== undefined) return id;
  throw badUsage(`sessions ${form} needs a conversation.`, `Usage: sessions ${form} ID`);
}

async function remove({ app, out, session, flags }: CommandCall, id: string): Promise<number> {
  const { title } = await app.turns.archive.get(id);
  if (!session.yes && flags.yes !== true) {
    const answer = await out.ask(`Delete "${title ?? id}" permanently? (y/N) `);
    if (answer === undefined) {
      throw badUsage('Deleting needs confirmation; use --yes.', `Usage: sessions delete ${id} --yes`);
    }
    if (!isYes(answer)) {
      out.line('Nothing was deleted.');
      return 1;
    }
  }
  await app.turns.archive.remove(id);
  if (session.conversationId === id) session.conversationId = undefined;
  out.show({ deleted: id }, `Deleted ${id}.`);
  return 0;
}
