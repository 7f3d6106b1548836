import { type Context, Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { z } from 'zod';
import { canonicalJson, sha256 } from '../../base/json.ts';
import type { ApprovalRequest, Material, TurnEvent } from '../../base/turn.ts';
import type { App } from '../../face/app.ts';
import type { CommandPlace, DoorCommands } from '../../face/doors.ts';
import { materialOf, sentFile } from './attached.ts';
import { commandBody, decisionBody, lineBody, steerBody, turnBody } from './bodies.ts';
import type { Device, Scope } from './devices.ts';
import { uploadDocument, uploadPath } from './documents.ts';
import { type Entered, type Entry, mayEnter } from './entry.ts';
import { type HomeNews, NO_TURN } from './home-news.ts';
import { LISTS, pageOf, wordsOf } from './lists.ts';
import { pastEvents } from './past-events.ts';
import { checked, Refused, refusedCommand } from './problem.ts';
import { openStream, type StreamWork } from './streams.ts';
import { newTurnId, type TurnHub } from './turn-hub.ts';

export interface ApiParts {
  readonly app: App;
  readonly hub: TurnHub;
  readonly news: HomeNews;
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
      const key = c.req.header('idempotency-key');
      const by = { device: c.get('device'), key, decides: decidesAs(c), signal: c.req.raw.signal };
      const begun = await beginTurn(parts, body, by);
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
      return sendEvents(c, parts, id);
    })
    .get('/events', enter('read'), (c) => sendEvents(c, parts))
    .post('/approvals/:id', enter('approve'), async (c) => {
      const { decision } = await readBody(c.req.raw, decisionBody);
      return c.json(await decide(parts, c.req.param('id'), decision, c.get('device')));
    })
    .post('/commands', enter('api'), async (c) => {
      const { words, as, ...where } = await readBody(c.req.raw, commandBody);
      await mayRun(parts, words, c.get('device'));
      const { mode, project } = parts.place;
      const at = { mode, conversationId: where.conversationId, project: where.project ?? project };
      return c.json(await parts.commands.run(words, { ...at, signal: c.req.raw.signal }, as));
    })
    .post('/complete', enter('api'), async (c) => {
      const { line, cursor, project = parts.place.project } = await readBody(c.req.raw, lineBody);
      const at = { mode: parts.place.mode, project, signal: c.req.raw.signal };
      return c.json((await parts.commands.complete(line, cursor, at)) ?? { from: cursor, items: [] });
    })
    .get('/me', enter('read'), (c) => c.json(c.get('device')))
    .put('/documents/:path{.+}', enter('api'), async (c) => {
      const path = uploadPath(c.req.param('path'));
      const project = projectOf(c, parts);
      const bytes = Buffer.from(await c.req.arrayBuffer());
      const upload = { project, path, bytes, signal: c.req.raw.signal };
      return c.json(await uploadDocument({ ...parts, mode: parts.place.mode }, upload), 201);
    })
    .get('/notes', enter('read'), (c) =>
      c.json({ items: parts.app.knowledge.projects.journalEntries(projectOf(c, parts)) }),
    )
    .get('/:list', enter('read'), (c) => list(c, parts));
}

/** The project that a request names; one that is not there is refused. */
function projectOf(c: Ctx, { app, place }: ApiParts): string {
  const project = c.req.query('project') ?? place.project;
  app.knowledge.projects.check(project);
  return project;
}

async function list(c: Ctx, parts: ApiParts): Promise<Response> {
  const named = LISTS[c.req.param('list') ?? ''];
  if (!named) throw new Refused(404, 'not_found', 'There is no such list.', 'GET /api/openapi.json names all of them.');
  const words = wordsOf(named, (name) => c.req.query(name));
  if (!words) throw new Refused(400, 'bad_query', `This list needs "${named.needs}".`);
  const at = { ...parts.place, project: projectOf(c, parts), signal: c.req.raw.signal };
  const result = await parts.commands.run(words, at);
  if (result.code !== 0) throw refusedCommand(result, 400);
  return c.json(pageOf(named, result.rows, { limit: c.req.query('limit'), after: c.req.query('after') }));
}

/** @throws Refused 400 when it is not JSON in UTF-8. */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await request.arrayBuffer();
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refused(400, 'bad_json', 'The body is not JSON in UTF-8.');
  }
}

/** @throws Refused 400 naming the field. */
export async function readBody<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  return checked(schema, await readJson(request));
}

type TurnBody = z.output<typeof turnBody>;

interface Begun {
  readonly id: string;
  readonly conversationId: string;
}

interface Beginning {
  readonly device: Device;
  readonly key: string | undefined;
  readonly decides: Device['kind'] | undefined;
  readonly signal: AbortSignal;
}

/** What a device sends along may be from anywhere. */
async function attached(
  given: NonNullable<TurnBody['attachments']>,
  signal: AbortSignal,
): Promise<readonly Material[]> {
  const material: Material[] = [];
  for (const each of given)
    if ('text' in each) material.push({ ...each, untrusted: true });
    else material.push(...(await materialOf([sentFile(each.data, each.name)], signal)));
  return material;
}

/**
 * The same key with the same body starts nothing anew, unless the program was killed before it had kept the turn.
 *
 * @throws Refused 422 for the same key with another body.
 */
async function beginTurn(
  { app, hub, place }: ApiParts,
  { text, conversationId, project, mode, attachments = [] }: TurnBody,
  { device, key, decides, signal }: Beginning,
): Promise<Begun> {
  if (project !== undefined) app.knowledge.projects.check(project);
  const material = await attached(attachments, signal);
  const id = newTurnId();
  const own: Begun = { id, conversationId: conversationId ?? id.replace('turn_', 'conv_') };
  const hash = sha256(canonicalJson({ text, conversationId, project, mode, attachments }));
  const begun = await accepted(app, { device: device.id, key: key ?? id, hash, own });
  const isKept = begun.id !== id && ((await app.turns.archive.turn(begun.id)) !== undefined || hub.has(begun.id));
  if (isKept) return begun;
  hub.start(begun.id, {
    ...{ text, conversationId: begun.conversationId, origin: 'http' },
    ...{ project: project ?? place.project, mode: mode ?? place.mode },
    decides,
    ...(material.length > 0 && { material }),
  });
  return begun;
}

/** The turn of this key, kept before it is told: the one that it began, or its own. */
async function accepted(
  { store }: Pick<App, 'store'>,
  { device, key, hash, own }: { device: string; key: string; hash: string; own: Begun },
): Promise<Begun> {
  // What the turn does is written behind it, so a power cut takes all of that or nothing.
  return store.relaxed(async () => {
    const rows = store.db.selectFrom('http_requests').selectAll();
    const known = await rows.where('device_id', '=', device).where('key', '=', key).executeTakeFirst();
    if (known && known.body_hash !== hash)
      throw new Refused(422, 'key_used', 'This Idempotency-Key was used for something else.', 'Use a new key.');
    if (known) return { id: known.turn_id, conversationId: known.conversation_id };
    const row = { device_id: device, key, body_hash: hash, turn_id: own.id, conversation_id: own.conversationId };
    await store.db
      .insertInto('http_requests')
      .values({ ...row, created_at: new Date().toISOString() })
      .execute();
    return own;
  });
}

type Ctx = Context<Entered>;

/** A reader may say that nobody is there to decide. */
function decidesAs(c: Ctx): Device['kind'] | undefined {
  const { kind, scopes } = c.get('device');
  return scopes.includes('approve') && c.req.header('x-wooster-decides') !== 'no' ? kind : undefined;
}

/** @param turnId absent: the events of all turns, and what is new besides. */
function sendEvents(c: Ctx, { hub, news, entry: { devices } }: ApiParts, turnId?: string): Response {
  const after = Number(c.req.header('last-event-id') ?? c.req.query('after') ?? 0);
  const from = Number.isSafeInteger(after) && after >= 0 ? after : 0;
  const { id: device } = c.get('device');
  const work: StreamWork = async (stream, signal) => {
    const leave = turnId === undefined ? await news.follow() : undefined;
    try {
      for await (const { id, turnId: of, event } of hub.read(from, { turnId, decides: decidesAs(c), signal })) {
        const data = { ...(of !== NO_TURN && { turnId: of }), ...event };
        await stream.writeSSE({ id: String(id), event: event.type, data: JSON.stringify(data) });
      }
    } finally {
      leave?.();
    }
  };
  return openStream(c, work, () => devices.mayEnter(device));
}

/** Of a turn whose events are gone. Who had some of them gets the answer alone. */
async function eventsOfThePast(c: Ctx, app: App, turnId: string): Promise<Response> {
  const events = (await pastEvents(app, turnId)) ?? (await eventsBeforeKept(app, turnId));
  if (!events) throw new Refused(404, 'not_found', 'There is no such turn.');
  const wanted = c.req.header('last-event-id') === undefined ? events : events.slice(-1);
  return streamSSE(c, async (stream) => {
    for (const [at, event] of wanted.entries())
      await stream.writeSSE({ id: String(at + 1), event: event.type, data: JSON.stringify({ turnId, ...event }) });
  });
}

/** Of a turn that was accepted, and lost with the program before anything of it was kept. */
async function eventsBeforeKept({ store }: App, turnId: string): Promise<TurnEvent[] | undefined> {
  const requests = store.read.selectFrom('http_requests').select('turn_id').where('turn_id', '=', turnId);
  return (await requests.executeTakeFirst()) && [{ type: 'answer', text: '', stop: 'aborted' }];
}

/** @throws Refused 403 for a command that decides, or that reaches the machine, where the device may not. */
async function mayRun({ app, commands, entry }: ApiParts, words: readonly string[], device: Device): Promise<void> {
  const need = commands.scopeOf(words);
  if (need === 'machine' && entry.isShared)
    throw new Refused(403, 'not_here', 'This is for whoever runs the server of these homes.', 'Ask them to do it.');
  const scope = need === 'machine' ? 'page' : need;
  if (scope !== undefined && !device.scopes.some((own) => own === scope))
    throw new Refused(403, 'no_scope', `This device may not do that: it has no scope "${scope}".`);
  if (scope !== 'approve') return;
  for (const word of words) {
    // A job that may act from now on decides about calls that nobody has seen.
    if (word.startsWith('job_')) mustBeOwner({ ownerOnly: true }, device);
    const proposal = await app.tools.proposals.get(word).catch(() => undefined);
    if (proposal) mustBeOwner(proposal, device);
  }
}

/** What Wooster obeys, and what cannot be undone, is decided by a person at a page: a token may be anywhere. */
function mustBeOwner(call: Pick<ApprovalRequest, 'ownerOnly'>, { kind }: Device): void {
  if (call.ownerOnly === true && kind === 'program')
    throw new Refused(403, 'owner_only', 'A program may not decide this.', 'Decide it on the page or at the terminal.');
}

/** A call that a turn waits for, or one that waits as a proposal. @throws Refused 409 when it is none of these. */
async function decide(
  { app, hub, commands, place }: ApiParts,
  id: string,
  decision: 'once' | 'turn' | 'denied',
  device: Device,
): Promise<{ readonly decided: string }> {
  const asked = hub.asked(id);
  if (asked) mustBeOwner(asked, device);
  if (hub.decide(id, decision, `${device.kind} ${device.name}`)) return { decided: decision };
  const proposal = await app.tools.proposals.get(id).catch(() => undefined);
  if (proposal?.state !== 'waiting')
    throw new Refused(409, 'decided', `No call "${id}" waits for a decision.`, 'It was decided already, or never was.');
  mustBeOwner(proposal, device);
  const words = [decision === 'denied' ? 'deny' : 'approve', id];
  const result = await commands.run(words, { ...place, signal: AbortSignal.timeout(APPROVED_CALL_MS) });
  if (result.code !== 0) throw refusedCommand(result, 409);
  return { decided: decision };
}

/** A call that was approved may take as long as the slowest tool does. */
const APPROVED_CALL_MS = 60_000;
