import { findDays } from '../../../when/day-span.ts';
import { findTime } from '../../../when/find.ts';
import { otherWays } from '../other-ways.ts';
import { withoutPoliteness } from '../politeness.ts';
import type { UserRequest } from '../request.ts';
import { OF_A_DAY } from './schedule-phrases.ts';

/** A day, and nothing else but words that ask what is on: "hab ich für Samstag schon irgendwas?" */
export function dayAskedFor(request: UserRequest): string | undefined {
  if (request.language !== 'de' || !ASKS_WHATS_ON.test(request.plain)) return undefined;
  const found = findTime(request.plain, request);
  const rest = found?.rest.toLowerCase().match(/\p{L}+/gu) ?? [];
  const isDay = found?.kind === 'day' || found?.kind === 'unclear';
  const asks = rest.every((word) => WHATS_ON.has(word)) && rest.some((word) => ON.test(word));
  return isDay && asks ? found.words : undefined;
}
const ON =
  /^(?:was|irgendw?etwas|irgendwas|etwas|los|vor|geplant|frei|termine?|einen|woran|an|ansteht|anliegt|plan|programm)$/u;
const ASKS_WHATS_ON = /^(?:was|ist|hab(?:en?)?|steht|liegt|gibt|an was|woran|bin ich|muss ich|und was)\b/iu;
const WHATS_ON = new Set(
  `was hab habe haben ich wir denn eigentlich schon noch alles so irgendwas irgendetwas etwas vor los geplant an für
  steht liegt gibt es erinnerst du mich woran bin frei muss müssen termine einen termin am auf dem plan programm zu tun
  ansteht anliegt und mir uns ist geht ab`.split(/\s+/u),
);

const NEXT_DAY = /^(?:und|and|what about|how about|und was ist)(?: am| on)? (?<day>.{3,30})$/iu;

/** "And tomorrow?", after it was asked what is on another day. */
export function nextDay(request: UserRequest): string | undefined {
  const day = NEXT_DAY.exec(request.plain)?.groups?.day;
  if (day === undefined || findTime(day, request)?.rest !== '' || !findDays(day, request, { ahead: true }))
    return undefined;
  const said = request.earlier
    .filter(({ by }) => by === 'person')
    .map(({ text }) => withoutPoliteness(text).replace(/(?<![?.!\s])[?.!\s]+$/u, ''));
  const before = said.findLast((text) => !NEXT_DAY.test(text)) ?? '';
  const ways = [before, ...otherWays(before, request.language)];
  const isAsked = ways.some((plain) => (OF_A_DAY(plain)?.day ?? dayAskedFor({ ...request, plain })) !== undefined);
  return isAsked ? day : undefined;
}
