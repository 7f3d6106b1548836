import PostalMime, { type Address, type Email } from 'postal-mime';
import { readHtml } from './html.ts';
import { type Block, type Parsed, Unreadable } from './parsed.ts';

/** Read one message: subject as heading, sender, recipients and date, and the text without quoted replies. */
export async function readEml(bytes: Uint8Array): Promise<Parsed> {
  const blocks = await messageBlocks(bytes, 1);
  const [first] = blocks;
  return { title: first?.kind === 'heading' ? first.text : undefined, blocks };
}

/** Read a mailbox, message by message. */
export async function readMbox(bytes: Uint8Array): Promise<Parsed> {
  const source = Buffer.from(bytes).toString('latin1');
  if (!source.startsWith('From ')) throw new Unreadable('not a mailbox');
  const messages = source.split(/^From [^\n]*\r?\n/mu).filter((message) => message.trim() !== '');
  const blocks: Block[] = [];
  for (const [index, message] of messages.entries())
    blocks.push(...(await messageBlocks(Buffer.from(message.replace(/^>(>*From )/gmu, '$1'), 'latin1'), index + 1)));
  return { blocks };
}

async function messageBlocks(bytes: Uint8Array, number: number): Promise<Block[]> {
  const mail = await PostalMime.parse(bytes);
  const place = `message ${mail.messageId ?? number}`;
  const subject = mail.subject?.trim() || 'No subject';
  const body = bodyOf(mail);
  const attached = mail.attachments
    .map(({ filename }) => filename)
    .filter((name) => name !== null && name !== undefined);
  const parts = [headOf(mail), ...body, attached.length > 0 ? `Attached: ${attached.join(', ')}` : ''];
  const texts = parts.filter((part) => part.trim() !== '').map((text): Block => ({ kind: 'text', text, place }));
  return [{ kind: 'heading', level: 1, text: subject, place }, ...texts];
}

function headOf({ from, to, date }: Email): string {
  const lines = [from && `From: ${person(from)}`, to && `To: ${to.map(person).join(', ')}`, date && `Date: ${date}`];
  return lines.filter((line) => line !== undefined && line !== '').join('\n');
}

function bodyOf({ text, html }: Email): string[] {
  if (text !== undefined && text.trim() !== '')
    return withoutQuotes(text)
      .split(/\n\s*\n/u)
      .map((part) => part.trim());
  return readHtml(html ?? '', { position: {} }).blocks.flatMap((block) => ('text' in block ? [block.text] : []));
}

function withoutQuotes(text: string): string {
  const lines = text.split(/\r?\n/u);
  return lines
    .filter(
      (line, index) => !line.startsWith('>') && !((lines[index + 1] ?? '').startsWith('>') && /:\s*$/u.test(line)),
    )
    .join('\n');
}

function person({ name, address }: Address): string {
  return name && address ? `${name} <${address}>` : name || address || '';
}
