import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { z } from 'zod';
import { messageOf } from '../../base/errors.ts';
import { canonicalJson, sha256 } from '../../base/json.ts';
import type { Material, TurnEvent } from '../../base/turn.ts';
import type { App } from '../../face/app.ts';
import type { CommandPlace, DoorCommands } from '../../face/doors.ts';
import { commandBody, decisionBody, steerBody, turnBody } from './bodies.ts';
import type { Device, Scope } from './devices.ts';
import { type Entered, type Entry, mayEnter } from './entry.ts';
import { LISTS } from './lists.ts';
import { Refused } from './problem.ts';
import { newTurnId, type TurnHub } from './turn-hub.ts';

export interface ApiParts {
  readonly app: App;
  readonly hub: TurnHub;
  readonly entry: Entry;
  readonly commands: DoorCommands;
  readonly place: Pick<CommandPlace, 'mode' | 'project'>;
}

/** `/api`: turns, their events, decisions, lists, and any command. */
export function apiRoutes(parts: ApiParts): Hono<Entered> {
  const { hub, entry } = parts;
  const enter = (scope: Scope) => mayEnter(scope, entry);
  return new Hono<Entered>()
    .post('/turns', enter('api'), async (c) => {
      const body = await readBody(c.req.raw, turnBody);
      const from = { device: c.get('device'), key: c.req.header('idempotency-key'), signal: c.req.raw.signal };
      const begun = await beginTurn(parts, body, from);
      return c.json(begun, 202);
    })
    .post('/turns/:id/stop', enter('api'), (c) => c.json({ stopped: hub.stop(c.req.param('id')) }))
    .post('/turns/:id/steer', enter('api'), async (c) => {
      const { text } = await readBody(c.req.raw, steerBody);
      if (!hub.steer(c.req.param('id'), text)) throw new Refused(409, 'ended', 'This turn has ended.');
      return c.json({ steered: true }, 202);
    })
    .get('/turns/:id/events', enter('read'), async (c) => {
      const id = c.req.param('id');
      if (!hub.has(id)) return eventsOfThePast(c, parts.app, id);
      return sendEvents(c, hub, { turnId: id, decides: c.get('device').scopes.includes('approve') });
    })
    .get('/events', enter('read'), (c) =>
      sendEvents(c, hub, { turnId: undefined, decides: c.get('device').scopes.includes('approve') }),
    )
    .post('/approvals/:id', enter('approve'), async (c) => {
      const { decision } = await readBody(c.req.raw, decisionBody);
      return c.json(await decide(parts, c.req.param('id'), decision, c.get('device')));
    })
    .post('/commands', enter('api'), async (c) => {
      const { words, ...where } = await readBody(c.req.raw, commandBody);
      const device = c.get('device');
      if (parts.commands.decides(words)) mayDecideByCommand(device);
      const { mode, project } = parts.place;
      const at = { mode, conversationId: where.conversationId, project: where.project ?? project };
      return c.json(await parts.commands.run(words, { ...at, signal: c.req.raw.signal }));
    })
    .get('/me', enter('read'), (c) => c.json(c.get('device')))
    .get('/:list', enter('read'), async (c) => {
      const words = LISTS[c.req.param('list')];
      if (!words)
        throw new Refused(404, 'not_found', 'There is no such list.', `There are ${Object.keys(LISTS).join(', ')}.`);
      const { rows, code, text } = await parts.commands.run(words, { ...parts.place, signal: c.req.raw.signal });
      if (code !== 0) throw new Refused(400, 'failed', text);
      return c.json({ items: rows });
    });
}

/** @throws Refused 400 naming the field. */
export async function readBody<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const text = await request.text();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refused(400, 'bad_json', 'The body is not JSON.');
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw new Refused(400, 'bad_body', z.prettifyError(read.error).replaceAll('\n', ' '));
}

/** @throws Refused 403: programs decide about one call, which is looked at, and about no job or standing rule. */
function mayDecideByCommand({ scopes, kind }: Device): void {
  if (!scopes.includes('approve'))
    throw new Refused(403, 'no_scope', 'This device may not decide: it has no scope "approve".');
  if (kind === 'program')
    throw new Refused(
      403,
      'owner_only',
      'A program may not decide by a command.',
      'POST /api/approvals/ID decides a call.',
    );
}

type TurnBody = z.output<typeof turnBody>;

interface Begun {
  readonly id: string;
  readonly conversationId: string;
}

/** The same key with the same body starts nothing anew. @throws Refused 422 for the same key with another body. */
async function beginTurn(
  { app, hub, place }: ApiParts,
  { text, conversationId, project, mode, attachments = [] }: TurnBody,
  { device, key, signal }: { readonly device: Device; readonly key: string | undefined; readonly signal: AbortSignal },
): Promise<Begun> {
  if (project !== undefined) app.knowledge.projects.check(project);
  const id = newTurnId();
  const begun: Begun = { id, conversationId: conversationId ?? id.replace('turn_', 'conv_') };
  const material = await materialOf(attachments, signal);
  if (key !== undefined) {
    const hash = sha256(canonicalJson({ text, conversationId, project, mode, attachments }));
    const known = await keyed(app, { device: device.id, key, hash, begun });
    if (known) return known;
  }
  hub.start(id, {
    ...{ text, conversationId: begun.conversationId, origin: 'http' },
    ...{ project: project ?? place.project, mode: mode ?? place.mode },
    ...(material.length > 0 && { material }),
  });
  return begun;
}

/** What a device sends along may be from anywhere. @throws Refused 400 for a file that cannot be read. */
async function materialOf(attachments: NonNullable<TurnBody['attachments']>, signal: AbortSignal): Promise<Material[]> {
  const material: Material[] = [];
  for (const each of attachments) {
    const { name } = each;
    const text = 'text' in each ? each.text : await fileText(Buffer.from(each.base64, 'base64'), name, signal);
    material.push({ name, text, untrusted: true });
  }
  return material;
}

async function fileText(bytes: Buffer, name: string, signal: AbortSignal): Promise<string> {
  const { materialText } = await import('../../face/material-text.ts');
  return materialText(bytes, name, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new Refused(400, 'bad_attachment', `${name} cannot be read: ${messageOf(error)}.`);
  });
}

/** The turn that this key began; undefined: it is new, and this turn is its own from now on. */
async function keyed(
  { store }: Pick<App, 'store'>,
  { device, key, hash, begun }: { device: string; key: string; hash: string; begun: Begun },
): Promise<Begun | undefined> {
  return store.transaction(async () => {
    const rows = store.db.selectFrom('http_requests').selectAll();
    const known = await rows.where('device_id', '=', device).where('key', '=', key).executeTakeFirst();
    if (known && known.body_hash !== hash)
      throw new Refused(422, 'key_used', 'This Idempotency-Key was used for something else.', 'Use a new key.');
    if (known) return { id: known.turn_id, conversationId: known.conversation_id };
    const row = { device_id: device, key, body_hash: hash, turn_id: begun.id, conversation_id: begun.conversationId };
    await store.db
      .insertInto('http_requests')
      .values({ ...row, created_at: new Date().toISOString() })
      .execute();
    return undefined;
  });
}

type Ctx = Parameters<typeof streamSSE>[0];

function sendEvents(c: Ctx, hub: TurnHub, of: { turnId: string | undefined; decides: boolean }): Response {
  const after = Number(c.req.header('last-event-id') ?? c.req.query('after') ?? 0);
  return streamSSE(c, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    const alive = setInterval(() => void stream.write(': alive\n\n').catch(() => gone.abort()), ALIVE_MS);
    try {
      const from = Number.isSafeInteger(after) && after >= 0 ? after : 0;
      for await (const { id, turnId, event } of hub.read(from, { ...of, signal: gone.signal }))
        await stream.writeSSE({ id: String(id), event: event.type, data: JSON.stringify({ turnId, ...event }) });
    } finally {
      clearInterval(alive);
    }
  });
}

/** Proxies cut connections on which nothing comes. */
const ALIVE_MS = 15_000;

/** A turn that another program, or this one before it was started anew, has run: its answer as it is stored. */
async function eventsOfThePast(c: Ctx, { turns }: App, turnId: string): Promise<Response> {
  const status = await turns.archive.statusOf(turnId);
  if (status === undefined) throw new Refused(404, 'not_found', 'There is no such turn.');
  const text = (await turns.archive.answerOf(turnId)) ?? '';
  const stop = status === 'running' || status === 'interrupted' || status === 'undone' ? 'aborted' : status;
  const answer: TurnEvent = { type: 'answer', text, stop };
  return streamSSE(c, (stream) =>
    stream.writeSSE({ id: '1', event: 'answer', data: JSON.stringify({ turnId, ...answer }) }),
  );
}

/** Whether only the owner may decide about a call, at a place where they look at it. */
function isForPeople({ tools }: App, call: { readonly tool: string; readonly diff?: string | undefined } | undefined) {
  const change = tools.toolbox.find(call?.tool ?? '')?.policy.change;
  return call?.diff !== undefined || change === 'settings' || change === 'purge';
}

/** A call that a turn waits for, or one that waits as a proposal. @throws Refused 409 when it was decided already. */
async function decide(
  { app, hub, commands, place }: ApiParts,
  id: string,
  decision: 'once' | 'turn' | 'denied',
  device: Device,
): Promise<{ readonly decided: string }> {
  const asked = hub.asked(id);
  const proposal = asked ? undefined : await app.tools.proposals.get(id).catch(() => undefined);
  if (!asked && proposal?.state !== 'waiting') throw new Refused(409, 'decided', 'This call was decided already.');
  if (device.kind === 'program' && isForPeople(app, asked ?? proposal))
    throw new Refused(
      403,
      'owner_only',
      'A program may not decide about files that are obeyed, nor about what is final.',
    );
  if (asked) {
    if (!hub.decide(id, decision, `${device.kind} ${device.name}`))
      throw new Refused(409, 'decided', 'This call was decided already.');
    return { decided: decision };
  }
  const words = [decision === 'denied' ? 'deny' : 'approve', id];
  const { code, text } = await commands.run(words, { ...place, signal: AbortSignal.timeout(60_000) });
  if (code !== 0) throw new Refused(409, 'failed', text);
  return { decided: decision };
}
