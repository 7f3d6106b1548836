import { z } from 'zod';
import { newId } from '../../base/ids.ts';
import { isCut, nearest, preview } from '../../base/text.ts';
import type { Turn } from '../../base/turn.ts';
import type { Store } from '../../store/store.ts';
import { defineTool, type Tool } from '../tool.ts';
import type { Undoable } from '../undo/undoable.ts';

/** Longest part that `artifact.get` returns at once, in characters; results for models are capped near it anyway. */
const PIECE_CHARS = 8000;

const MAX_CHARS = 20_000_000;
/** The most that a list has. */
const LISTED = 100;

type Owner = Pick<Turn, 'id' | 'conversationId' | 'project'>;

interface About {
  /** The kind of data, in the words of its producer; `text` or `json` unless given. */
  readonly type?: string | undefined;
  readonly description: string | undefined;
  readonly untrusted: boolean;
}

/** An artifact without its data. */
interface ListedArtifact {
  readonly id: string;
  readonly type: string;
  readonly description: string | null;
  readonly createdAt: string;
  /** It may contain untrusted text. */
  readonly untrusted?: true;
}

/** Large values kept out of the conversation, by project. */
export class Artifacts {
  readonly #asked = new Map<string, Promise<boolean>>();
  readonly #store: Store;
  readonly #now: () => Date;

  constructor(store: Store, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * @param untrusted the conversation has read untrusted content.
   * @returns the new id. @throws RangeError when the value has more than 20 million characters as JSON.
   */
  async keep(owner: Owner, data: unknown, { type, description, untrusted }: About): Promise<string> {
    const json = JSON.stringify(data ?? null);
    if (json.length > MAX_CHARS) throw new RangeError(`an artifact holds at most ${MAX_CHARS} characters`);
    const now = this.#now();
    const id = newId('art', now);
    await this.#store.db
      .insertInto('artifacts')
      .values({
        id,
        project: owner.project,
        conversation_id: owner.conversationId,
        turn_id: owner.id,
        type: type ?? (typeof data === 'string' ? 'text' : 'json'),
        description: description ?? null,
        data: json,
        created_at: now.toISOString(),
        untrusted: untrusted ? 1 : 0,
      })
      .execute();
    return id;
  }

  /** @throws Error with the most similar id when the project has no such artifact. */
  async get(project: string, id: string): Promise<unknown> {
    const row = await this.#store.db
      .selectFrom('artifacts')
      .select('data')
      .where('project', '=', project)
      .where('id', '=', id)
      .executeTakeFirst();
    if (row) return JSON.parse(row.data);
    const known = await this.list(project);
    const guess = nearest(
      id,
      known.map((each) => each.id),
    );
    throw new Error(`there is no artifact "${id}"${guess ? `; did you mean "${guess}"?` : ''}`);
  }

  /** Whether the project has any. Three tools ask at the same time, before each request to a model. */
  async any(project: string): Promise<boolean> {
    const asked = this.#asked.get(project) ?? this.#hasAny(project).finally(() => this.#asked.delete(project));
    this.#asked.set(project, asked);
    return asked;
  }

  async #hasAny(project: string): Promise<boolean> {
    const one = this.#store.db.selectFrom('artifacts').select('id').where('project', '=', project).limit(1);
    return (await one.executeTakeFirst()) !== undefined;
  }

  /** A stored value with its metadata; undefined when there is none. */
  async state(id: string): Promise<string | undefined> {
    const row = await this.#store.db.selectFrom('artifacts').selectAll().where('id', '=', id).executeTakeFirst();
    return row && JSON.stringify(row);
  }

  /** Restore an artifact to `state`. */
  async putBack(id: string, state: string | undefined): Promise<void> {
    await this.#store.db.deleteFrom('artifacts').where('id', '=', id).execute();
    if (state !== undefined) await this.#store.db.insertInto('artifacts').values(JSON.parse(state)).execute();
  }

  /** Whether an artifact may contain untrusted text; one that does not exist counts as untrusted. */
  async isUntrusted(project: string, id: string): Promise<boolean> {
    const row = this.#store.db.selectFrom('artifacts').select('untrusted').where('project', '=', project);
    return (await row.where('id', '=', id).executeTakeFirst())?.untrusted !== 0;
  }

  /** The newest, newest first, without the data. */
  async list(project: string): Promise<readonly ListedArtifact[]> {
    const rows = await this.#store.db
      .selectFrom('artifacts')
      .select(['id', 'type', 'description', 'created_at as createdAt', 'untrusted'])
      .where('project', '=', project)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(LISTED)
      .execute();
    return rows.map(({ untrusted, ...row }) => ({ ...row, ...(untrusted === 0 ? {} : { untrusted: true as const }) }));
  }
}

/** Delete the artifacts that a conversation kept. */
export async function removeArtifacts(store: Store, conversationId: string): Promise<void> {
  await store.db.deleteFrom('artifacts').where('conversation_id', '=', conversationId).execute();
}

/**
 * `artifact.store`, `artifact.get`, `artifact.list`; offered once there is something to get. A value is as trusted as
 * the conversation that stored it was.
 */
export function createArtifactTools(artifacts: Artifacts, undoable?: Undoable): readonly Tool[] {
  return [storeTool(artifacts, undoable), getTool(artifacts), listTool(artifacts)];
}

function storeTool(artifacts: Artifacts, undoable?: Undoable): Tool {
  return defineTool({
    name: 'artifact.store',
    positional: ['data', 'description', 'type'],
    description: 'Keep a large value for later turns, out of the conversation. Not for notes to the user.',
    input: z.object({
      data: z.unknown(),
      description: z.string().optional(),
      type: z.string().trim().min(1).max(100).optional(),
    }),
    output: z.object({ id: z.string() }),
    policy: { effect: 'local', change: 'append' },
    provenance: { readsFrom: [] },
    durability: { trace: 'transaction' },
    presentation: { offer: ({ project }) => artifacts.any(project) },
    timeoutMs: 5000,
    execute: async ({ data, description, type }, { turn, untrusted, idempotencyKey }) => {
      const store = () => artifacts.keep(turn, data, { type, description, untrusted });
      const by = { turnId: turn.id, idempotencyKey };
      return { id: undoable ? await undoable.newArtifact(turn.project, store, by) : await store() };
    },
  });
}

function getTool(artifacts: Artifacts): Tool {
  return defineTool({
    name: 'artifact.get',
    positional: ['id'],
    description: 'Read a kept value: all of it, or with offset (and limit) a part of its text, in characters.',
    input: z.object({
      id: z.string(),
      offset: z.number().int().min(0).optional(),
      limit: z.number().int().min(1).max(PIECE_CHARS).optional(),
    }),
    policy: { effect: 'none' },
    provenance: {
      readsFrom: async ({ id }, { turn }) => [{ untrusted: await artifacts.isUntrusted(turn.project, id) }],
    },
    presentation: { offer: ({ project }) => artifacts.any(project) },
    timeoutMs: 5000,
    execute: async ({ id, offset, limit }, { turn }) => {
      const data = await artifacts.get(turn.project, id);
      return offset === undefined && limit === undefined ? data : piece(data, offset ?? 0, limit ?? PIECE_CHARS);
    },
  });
}

function listTool(artifacts: Artifacts): Tool {
  return defineTool({
    name: 'artifact.list',
    description: 'List kept values: id, type, description, time.',
    input: z.object({}),
    output: z.array(
      z.object({
        ...{ id: z.string(), type: z.string(), description: z.string().nullable(), createdAt: z.string() },
        untrusted: z.literal(true).optional(),
      }),
    ),
    policy: { effect: 'none' },
    presentation: { offer: ({ project }) => artifacts.any(project) },
    timeoutMs: 5000,
    execute: async (_input, { turn, holds, beside }) => {
      const known = await artifacts.list(turn.project);
      if (known.length === LISTED) beside?.('Older values are not listed.');
      holds(...known.map(({ untrusted = false }) => ({ untrusted })));
      return [...known];
    },
  });
}

function piece(data: unknown, offset: number, limit: number): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  const end = Math.min(text.length, offset + limit);
  const left = text.length - end;
  const note = left > 0 ? `${left} more characters; read on with offset ${end}.` : 'This is the end.';
  return `${text.slice(offset, end)}\n(Characters ${offset} to ${end} of ${text.length}. ${note})`;
}

/**
 * Stands in place of what was cut from a result: where all of it is and how to read it. A tool may have left out some
 * of it before; then what is kept is not called the whole.
 */
export function readMoreNote(id: string, kept: string): string {
  const call = `artifact_get {"id": "${id}", "offset": N, "limit": ${PIECE_CHARS}}`;
  const what = isCut(kept)
    ? `Of the result, ${kept.length} characters are`
    : `The whole result, ${kept.length} characters, is`;
  return `(${what} kept. Read on with ${call}.)`;
}

/** The description of a kept result in lists. */
export function describeResult(tool: string, args: unknown): string {
  return preview(`result of ${tool} ${JSON.stringify(args) ?? ''}`, 200);
}
