import { keep, kept } from './kept.ts';

/** A request that was refused, or could not be made. */
export class Problem extends Error {
  /** HTTP status; 0 without a connection. */
  readonly status: number;
  readonly code: string;
  readonly hint: string;

  constructor(status: number, { code = 'offline', message = '', hint = '' }) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

/** Tells that this browser is not let in, or not any more. */
export const SHUT_OUT = 'wooster-shut-out';

export interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** @throws Problem */
export function get<Value>(path: string, asked: Asked = {}): Promise<Value> {
  return request<Value>(path, { ...asked });
}

/** @throws Problem */
export function post<Value>(path: string, body: object = {}, { headers = {}, ...asked }: Asked = {}): Promise<Value> {
  const type = { 'content-type': 'application/json' };
  return request<Value>(path, {
    ...asked,
    method: 'POST',
    headers: { ...type, ...headers },
    body: JSON.stringify(body),
  });
}

/** Send a file as it is. @throws Problem */
export function put<Value>(path: string, body: Blob): Promise<Value> {
  return request<Value>(path, { method: 'PUT', headers: { 'content-type': 'application/octet-stream' }, body });
}

interface ListPage<Row> {
  readonly items: readonly Row[];
  /** There are more behind this place. */
  readonly next?: string;
}

/** The rows of a list, all of its pages. @throws Problem */
export async function list<Row>(path: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const more = path.includes('?') ? '&' : '?';
  for (let at = path; ; ) {
    const { items, next } = await get<ListPage<Row>>(at);
    rows.push(...items);
    if (next === undefined) return rows;
    at = `${path}${more}after=${next}`;
  }
}

interface CommandResult {
  readonly code: number;
  readonly rows: readonly unknown[];
  readonly text: string;
}

export interface CommandWishes extends Asked {
  readonly project?: string | undefined;
}

/** Run a command as `wooster WORDS` does, and take its rows. @throws Problem with what it said, where it failed. */
export async function command<Row>(
  words: readonly string[],
  { project, ...asked }: CommandWishes = {},
): Promise<readonly Row[]> {
  const { code, rows, text } = await post<CommandResult>(
    '/api/commands',
    { words, ...(project !== undefined && { project }) },
    asked,
  );
  if (code !== 0) throw new Problem(400, { code: 'failed', message: text.trim() });
  return rows as readonly Row[];
}

const KEY = 'key';
/** This browser's half of its token; the other is in a cookie that no script can read. */
let key = kept<string>(KEY);

/** It was let in. */
export function useKey(given: string): void {
  key = given;
  keep(KEY, key);
}

/** Ask as this browser. @throws Problem 0 without a connection. */
export async function ask(path: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(path, { ...init, headers: { ...headers, ...(key !== undefined && { 'x-wooster-key': key }) } });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Problem(0, {});
  }
}

async function request<Value>(path: string, init: RequestInit): Promise<Value> {
  const response = await ask(path, init);
  const said = (await response.json().catch(() => ({}))) as { error?: { code: string; message: string; hint: string } };
  if (response.ok) return said as Value;
  if (response.status === 401 && path !== '/api/pair') dispatchEvent(new Event(SHUT_OUT));
  throw new Problem(response.status, said.error ?? { code: 'internal', message: response.statusText });
}
