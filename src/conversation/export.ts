import type { Selectable } from 'kysely';
import { isRecord } from '../base/json.ts';
import { plainLinks } from '../base/plain-links.ts';
import { withoutMaterial } from '../base/turn.ts';
import type { MessageRow } from '../store/schema.ts';
import type { ConversationArchive } from './archive.ts';

/** A conversation as one Markdown document. @throws AssistantError `unknown_conversation`. */
export async function toMarkdown(saved: ConversationArchive, id: string): Promise<string> {
  const { title, project, created_at, status } = await saved.get(id);
  const head = `# ${title ?? id}\n\nConversation ${id}, project ${project}, begun ${created_at}, ${status}.`;
  const sections = (await saved.messages(id)).map(section);
  return `${[head, ...sections].filter((part) => part !== '').join('\n\n')}\n`;
}

/** A conversation with all its messages as JSON values. @throws AssistantError `unknown_conversation`. */
export async function toJson(saved: ConversationArchive, id: string): Promise<unknown> {
  const { title, project, created_at, updated_at, status } = await saved.get(id);
  const messages = (await saved.messages(id)).map(({ sequence, turn_id, role, kind, content, created_at: at }) => {
    const value: unknown = kind === 'tool_calls' || kind === 'tool_result' ? JSON.parse(content) : content;
    return { sequence, turnId: turn_id, role, kind, content: value, at };
  });
  return { id, title, project, status, createdAt: created_at, updatedAt: updated_at, messages };
}

function section({ role, kind, content, created_at }: Selectable<MessageRow>): string {
  if (kind === 'tool_calls') return calls(content);
  if (kind === 'tool_result') return result(content);
  if (kind === 'code') return fenced(content, 'js');
  if (kind === 'feedback') return `Result of the script:\n\n${fenced(content)}`;
  return `## ${role === 'user' ? 'You' : 'Wooster'} (${created_at})\n\n${role === 'user' ? asked(content) : content}`;
}

/** What came along with a request may be anybody's. */
function asked(content: string): string {
  const request = withoutMaterial(content);
  return request + plainLinks(content.slice(request.length), { mayLink: () => false, bare: true });
}

function calls(content: string): string {
  const { text, calls: list } = JSON.parse(content) as { text: string; calls: { name: string; args: unknown }[] };
  const lines = list.map((call) => `- \`${call.name}\` ${inCode(JSON.stringify(call.args))}`);
  const said = plainLinks(text, { mayLink: () => false, bare: true });
  return [said, lines.join('\n')].filter((part) => part !== '').join('\n\n');
}

function result(content: string): string {
  const parsed: unknown = JSON.parse(content);
  if (!isRecord(parsed)) return '';
  const outcome = parsed.ok === true ? 'Result' : 'Failure';
  return `${outcome} of \`${String(parsed.name)}\`:\n\n${fenced(String(parsed.text))}`;
}

/** As code on one line, of which no renderer makes a link or an image. */
function inCode(text: string): string {
  const fence = fenceAround(text, 0);
  return `${fence} ${text} ${fence}`;
}

/** A code block whose fence is longer than any fence in `text`, so that quoted Markdown cannot close it. */
function fenced(text: string, language = ''): string {
  const fence = fenceAround(text, 2);
  return `${fence}${language}\n${text}\n${fence}`;
}

function fenceAround(text: string, least: number): string {
  const longest = Math.max(least, ...(text.match(/`+/gu) ?? []).map((run) => run.length));
  return '`'.repeat(longest + 1);
}
