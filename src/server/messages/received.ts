import { mkdirSync, statSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { preview } from '../../base/text.ts';
import type { Material } from '../../base/turn.ts';
import type { App } from '../../face/app.ts';
import { fileMaterial, fitting } from '../../face/file-material.ts';
import type { Attachment, ChatMessage } from '../../notify/inbound.ts';
import type { ReceivingChannel } from '../../notify/types.ts';

export interface ReceivedDeps {
  readonly app: App;
  readonly channel: ReceivingChannel;
  readonly signal: AbortSignal;
}

/** What services let a bot fetch, too. */
const MAX_BYTES = 20 * 1024 * 1024;
const MAX_FILES = 10;
const MAX_NAME_CHARS = 80;

/** What came with a message. */
export interface ReceivedFiles {
  /** What can be read, and what cannot by its name. */
  readonly material: readonly Material[];
  /** What the owner said. */
  readonly spoken: readonly string[];
  /** Why something that they said was not heard. */
  readonly unheard: readonly string[];
}

/**
 * The files of a message, kept in `received/` of the project: the owner's own, unless they were forwarded. What can be
 * read becomes part of the request, and is found by later questions. What the owner speaks into a chat are their words;
 * any other recording is somebody's.
 */
export async function receiveFiles(message: ChatMessage, project: string, deps: ReceivedDeps): Promise<ReceivedFiles> {
  const material: Material[] = [];
  const [spoken, unheard]: [string[], string[]] = [[], []];
  for (const attachment of message.attachments.slice(0, MAX_FILES)) {
    const isSpoken = attachment.kind === 'voice' && !message.forwarded;
    const name = safeName(attachment.name);
    try {
      const path = await keep(attachment, message, { ...deps, project });
      if (isSpoken) spoken.push(await hear(path, project, deps));
      else if (attachment.kind === 'voice' || attachment.kind === 'audio')
        material.push({ name: `${name}, as heard`, text: await hear(path, project, deps), untrusted: true });
      else {
        // As its sender calls it: the number before that is for the folder.
        material.push({ ...fitting(await fileMaterial(path, deps.app, deps.signal)), name });
        await index(path, project, deps);
      }
    } catch (error) {
      deps.signal.throwIfAborted();
      const why = preview(messageOf(error), 200);
      deps.app.home.log.info('a file was not read', { name, error: why });
      if (isSpoken) unheard.push(why);
      else material.push({ name, text: `(not read: ${why})`, untrusted: message.forwarded });
    }
  }
  return { material, spoken, unheard };
}

/** @throws Error that says what to set. */
async function hear(path: string, project: string, { app, signal }: ReceivedDeps): Promise<string> {
  const service = app.models.transcription();
  if (!service) throw new Error('no service that hears is set up; TRANSCRIPTION_MODEL names one');
  const { text } = await service.hear({ bytes: await readFile(path), name: basename(path), project, signal });
  if (text === '') throw new Error('nothing was understood');
  return text;
}

/** @returns where it is; a file that is there already is not fetched again. */
async function keep(
  attachment: Attachment,
  { id, forwarded }: ChatMessage,
  { app, channel, project, signal }: ReceivedDeps & { readonly project: string },
): Promise<string> {
  const dir = join(app.knowledge.projects.folder(project), 'received');
  mkdirSync(dir, { recursive: true });
  const path = join(dir, `${safeName(id)}-${safeName(attachment.name)}`);
  if (statSync(path, { throwIfNoEntry: false })) return path;
  if ((attachment.bytes ?? 0) > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES / 1024 / 1024} MB`);
  const bytes = await channel.inbound.download(attachment, { maxBytes: MAX_BYTES, signal });
  const { files } = app.knowledge.origins;
  const sources = [`a file forwarded on ${channel.label}`];
  // Marked before it is there, so that no kill in between makes it the owner's.
  if (forwarded) await files.begin(path, sources);
  await writeFile(`${path}.part`, bytes, { flush: true });
  await rename(`${path}.part`, path);
  if (forwarded) await files.written(path, { untrusted: true, sources }, false);
  return path;
}

/** What the sender calls a file leads nowhere and begins no hidden file. */
function safeName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._ -]/gu, '_')
    .replace(/^[. ]+/u, '');
  if (plain.length <= MAX_NAME_CHARS) return plain || 'file';
  const [ending = ''] = /\.\w{1,8}$/u.exec(plain) ?? [];
  return `${plain.slice(0, MAX_NAME_CHARS - ending.length)}${ending}`;
}

async function index(path: string, project: string, { app, signal }: ReceivedDeps): Promise<void> {
  const report = await app.knowledge.documents.ingest(project, [path], { signal }).catch(messageOf);
  if (typeof report === 'string') app.home.log.warn('a file that came in is not indexed', { error: report });
}
