import { posix } from 'node:path';
import { z } from 'zod';
import type { Turn } from '../../base/turn.ts';
import { defineTool, type Tool } from '../tool.ts';
import type { FileSpace } from './project-files.ts';

const DEFAULT_LINES = 400;
const MAX_CONTENT_CHARS = 1_000_000;
const path = z.string().trim().min(1).max(1000).describe("relative to the project's folder");

/** Called before a file is written, which waits for it. */
export type OnWrite = (turn: Turn, path: string, content: string) => Promise<void>;

/**
 * `read_file`, `write_file`, `list_directory`.
 *
 * @param spaceOf the files a conversation works on now: its project's folder or its workspace.
 */
export function createFileTools(
  spaceOf: (conversationId: string) => FileSpace,
  onWrite: OnWrite = async () => {},
): Tool[] {
  return [readFile(spaceOf), writeFile(spaceOf, onWrite), listDirectory(spaceOf)];
}

function readFile(spaceOf: (conversationId: string) => FileSpace): Tool {
  return defineTool({
    name: 'read_file',
    positional: ['path', 'offset', 'limit'],
    aliases: { path: ['file', 'filename', 'relativeFilePath'] },
    description: [
      `Read a text file of the project: \`limit\` lines (${DEFAULT_LINES}) from line \`offset\` (1).`,
      'To find something in many documents use query_rag.',
    ].join(' '),
    input: z.object({
      path,
      offset: z.int().min(1).default(1),
      limit: z.int().min(1).max(10_000).default(DEFAULT_LINES),
    }),
    output: z.string(),
    effect: 'none',
    reads: 'private',
    returns: 'untrusted',
    timeoutMs: 10_000,
    execute: async ({ path: file, offset, limit }, { turn }) => {
      const lines = (await spaceOf(turn.conversationId).read(turn.project, file)).split('\n');
      const shown = lines.slice(offset - 1, offset - 1 + limit);
      const rest = lines.length - (offset - 1) - shown.length;
      return rest > 0
        ? `${shown.join('\n')}\n… ${rest} more lines; read on with offset ${offset + shown.length}.`
        : shown.join('\n');
    },
  });
}

function writeFile(spaceOf: (conversationId: string) => FileSpace, onWrite: OnWrite): Tool {
  return defineTool({
    name: 'write_file',
    positional: ['path', 'content'],
    aliases: { path: ['file', 'filename', 'relativeFilePath'], content: ['text', 'body', 'data'] },
    description: 'Write a text file of the project, replacing its content. For journal notes use write_note instead.',
    input: z.object({ path, content: z.string().max(MAX_CONTENT_CHARS) }),
    output: z.string(),
    effect: 'local',
    reads: 'public',
    returns: 'trusted',
    timeoutMs: 10_000,
    change: async ({ path: file }, { turn }) =>
      (await spaceOf(turn.conversationId).exists(turn.project, file)) ? 'overwrite' : 'append',
    keeps: ({ path: file }, { turn }) => nameOf(file, turn.project),
    execute: async ({ path: file, content }, { turn, idempotencyKey }) => {
      await onWrite(turn, file, content);
      await spaceOf(turn.conversationId).write(turn.project, file, content, { turnId: turn.id, idempotencyKey });
      return `Wrote ${content.length} characters to ${file}.`;
    },
  });
}

/** The name by which a file's text is read later. Writing to the journal's file counts as writing the journal. */
function nameOf(file: string, project: string): string {
  const isJournal = posix.normalize(file).toLowerCase() === `${project}.md`.toLowerCase();
  return isJournal ? `journal:${project}` : `file:${project}/${file}`;
}

function listDirectory(spaceOf: (conversationId: string) => FileSpace): Tool {
  return defineTool({
    name: 'list_directory',
    positional: ['path'],
    aliases: { path: ['dir', 'directory', 'folder'] },
    description: 'List a folder of the project; folders end in /.',
    input: z.object({ path: z.string().trim().max(1000).default('.') }),
    output: z.array(z.string()),
    effect: 'none',
    reads: 'private',
    returns: 'trusted',
    timeoutMs: 10_000,
    execute: async ({ path: dir }, { turn }) => {
      const entries = await spaceOf(turn.conversationId).list(turn.project, dir);
      return entries.map((entry) => (entry.folder ? `${entry.name}/` : entry.name));
    },
  });
}
