import type { TurnWishes } from '../../agent/types.ts';
import type { Answer, Mode, Provenance, TurnContext, TurnEvent } from '../../base/turn.ts';
import type { GivenAnswer } from '../../conversation/archive.ts';
import type { App } from '../../face/app.ts';
import { mergeSources } from '../../tools/gate/labels.ts';
import { materialOf } from '../http/attached.ts';
import { mustBeServed } from '../http/entry.ts';
import { Refused } from '../http/problem.ts';
import { newTurnId, type TurnHub } from '../http/turn-hub.ts';
import type { Exchange, RecentExchanges } from './about-a-chat.ts';
import type { Asked } from './asked.ts';
import type { Trouble } from './shapes.ts';

export interface AnswerParts {
  readonly app: App;
  readonly hub: TurnHub;
  readonly place: { readonly mode: Mode; readonly project: string };
  readonly recent: RecentExchanges;
}

/** A request that is about to be answered. */
export interface Ready {
  /** Of its turn. */
  readonly id: string;
  /** Absent: the client keeps the conversation itself. */
  readonly conversationId: string | undefined;
  /** @param show gets the events of the turn. Never rejects. */
  run(context: Pick<TurnContext, 'signal' | 'show'>): Promise<Answer>;
}

/** What earlier exchanges with a client may have been, as long as it may still go on with them. */
const REMEMBERED_MS = 7 * 86_400_000;
const PREFIX = 'wooster/';
const CODE = '/code';

/** The models that a client sees: each project, in the usual mode and with scripts. */
export function modelNames({ app }: Pick<AnswerParts, 'app'>): readonly string[] {
  const open = app.knowledge.projects.list().filter((project) => !app.models.isLocalOnly(project));
  return open.flatMap((project) => [`${PREFIX}${project}`, `${PREFIX}${project}${CODE}`]);
}

/**
 * Everything that can be wrong with a request is found here, before an answer begins.
 *
 * @throws Refused, AssistantError.
 */
export async function ready(parts: AnswerParts, asked: Asked, device: string, signal: AbortSignal): Promise<Ready> {
  const { app, hub, recent } = parts;
  const { project, mode } = placeOf(parts, asked.model);
  const id = newTurnId();
  const conversationId = asked.session.conversation ?? (await conversationBefore(app, asked.session.previous));
  const standsAlone = conversationId === undefined && asked.before.length === 0;
  const isAboutChat = standsAlone && !asked.stream && recent.isAboutChat(device, asked.text);
  const material = await materialOf(asked.files, signal);
  const wishes = { ...(await wishesOf(app, asked, conversationId)), ...(isAboutChat && ABOUT_A_CHAT) };
  const order = {
    ...({ text: asked.text, project, mode, origin: 'http', wishes } as const),
    conversationId: conversationId ?? id.replace('turn_', 'conv_'),
    unlisted: conversationId === undefined,
    ...(material.length > 0 && { material }),
  };
  return {
    id,
    conversationId,
    async run(context) {
      const answer = await hub.run(id, order, context);
      if (isAboutChat) await app.turns.archive.remove(order.conversationId).catch(() => undefined);
      else if (answer.stop === 'answered') recent.add(device, { request: asked.text, answer: answer.text });
      return answer;
    },
  };
}

/** One step, and nothing to do: what is quoted in it was done before, or must not be done at all. */
const ABOUT_A_CHAT: TurnWishes = { tools: (toolbox) => toolbox.only(() => false), maxSteps: 1, standIn: false };

/** @throws Refused 404 for a model that is none, 403 for a project that stays at home. */
function placeOf({ app, place }: AnswerParts, model: string): { readonly project: string; readonly mode: Mode } {
  const hasCode = model.endsWith(CODE);
  const project = model.slice(PREFIX.length, hasCode ? -CODE.length : undefined);
  if (!model.startsWith(PREFIX) || !app.knowledge.projects.exists(project))
    throw new Refused(404, 'model_not_found', `There is no model "${model}".`, 'GET /v1/models lists them.');
  mustBeServed(project, app);
  return { project, mode: hasCode ? 'code_agent' : place.mode };
}

/** The conversation that a response ends. @throws Refused 404, 409 when it went on elsewhere since. */
async function conversationBefore({ turns }: App, previous: string | undefined): Promise<string | undefined> {
  if (previous === undefined) return undefined;
  const turnId = previous.replace('resp_', 'turn_');
  const turn = await turns.archive.turn(turnId);
  if (!turn) throw new Refused(404, 'not_found', `There is no response "${previous}".`);
  if ((await turns.archive.lastTurn(turn.conversation_id)) !== turnId)
    throw new Refused(409, 'not_last', `The conversation has gone on since "${previous}".`, 'Name its last response.');
  return turn.conversation_id;
}

async function wishesOf(app: App, asked: Asked, conversationId: string | undefined): Promise<TurnWishes> {
  const client = asked.system === '' ? {} : { lines: [OF_THE_CLIENT, asked.system], read: BY_THE_CLIENT };
  // Of a conversation that we keep, we know better what was said.
  if (conversationId !== undefined || asked.before.length === 0) return client;
  const own = asked.before.filter(({ role }) => role === 'user').map(({ text }) => text);
  const before = await readBefore(app, asked.before);
  const read = client.read === undefined ? before : together([client.read, before]);
  return { ...client, read, before: asked.before, said: [...own, asked.text] };
}

/** Clients put into it whatever they have found for a request: documents, web pages, the state of a house. */
const BY_THE_CLIENT: Provenance = { untrusted: true, private: true, sources: ['the instructions of a client'] };

const OF_THE_CLIENT =
  'The program through which the user writes adds the following. All that stands above it counts where they differ:';

/**
 * What went into the earlier answers: as we know it of those that were ours, else all that could have. Nobody knows
 * which of several equal exchanges this one was: then all of them count.
 */
async function readBefore({ turns }: App, before: Asked['before']): Promise<Provenance> {
  const exchanges = exchangesOf(before);
  if (exchanges.length === 0) return OF_OTHERS;
  const requests = exchanges.map(({ request }) => request);
  const given = await turns.archive.answersTo(requests, new Date(Date.now() - REMEMBERED_MS));
  const ofRequest = Map.groupBy(given, ({ request }) => request);
  const read = exchanges.flatMap(({ request, answer: said }) => {
    const ours = (ofRequest.get(request) ?? []).filter((given) => isAll(said, given));
    return ours.length > 0 ? ours : [OF_OTHERS];
  });
  return together(read);
}

function together(read: readonly Provenance[]): Provenance {
  return {
    untrusted: read.some((each) => each.untrusted),
    private: read.some((each) => each.private),
    sources: read.reduce<readonly string[]>((sources, each) => mergeSources(sources, each.sources), []),
  };
}

/**
 * Whether what a client says was answered is all ours: the answer, and before it what the turn said on its way, of
 * which a part may have been streamed. Anything else in it is of others.
 */
function isAll(said: string, { answer, onTheWay }: Pick<GivenAnswer, 'answer' | 'onTheWay'>): boolean {
  const last = answer.trim();
  if (last === '' || !said.endsWith(last)) return false;
  let rest = said.slice(0, -last.length).trim();
  for (const text of onTheWay) rest = rest.slice(commonLength(rest, text.trim())).trimStart();
  return rest === '';
}

/** How far two texts begin alike. */
function commonLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

const OF_OTHERS: Provenance = { untrusted: true, private: true, sources: ['what a client says was said before'] };

/** Each answer with the request before it, which may have come in several messages. */
function exchangesOf(before: Asked['before']): readonly Exchange[] {
  let words: string[] = [];
  return before.flatMap(({ role, text }) => {
    if (role === 'user') words.push(text);
    if (role === 'user') return [];
    const request = words.join('\n\n');
    words = [];
    return [{ request, answer: text }];
  });
}

/** Collects what a client must be told of a turn besides its text. */
export class Outcome {
  #trouble: Trouble | undefined;

  show(event: TurnEvent): void {
    if (event.type === 'error') this.#trouble = { code: event.code, message: `${event.message} ${event.hint}`.trim() };
  }

  /** Why there is no answer; undefined: there is one, whole or cut off. */
  trouble({ stop }: Answer): Trouble | undefined {
    if (stop === 'aborted') return { code: 'aborted', message: 'The request was stopped.' };
    if (stop !== 'failed' && stop !== 'budget') return undefined;
    return this.#trouble ?? { code: 'internal', message: 'The request failed.' };
  }
}
