import { wordsToDigits } from '../../words/numbers.ts';
import { readNumber, showMoney, showNumber } from '../numbers.ts';
import type { Slots } from '../phrases.ts';
import { type Intent, type Skill, say, type UserRequest } from '../request.ts';
import { bill } from './bill.ts';
import { CHANGE, FOREIGN, NET, OFF, PLUS, SHARE, SPLIT, TIP } from './money-phrases.ts';
import { consumption, period, proportion, rates, times } from './prices.ts';
import { sums } from './sums.ts';

const USUAL_TIP = 10;

export const money: Skill = {
  name: 'money',
  examples: {
    en: ['what is 20% off 80 euros?', 'a 15% tip on 42.50', 'split 120 euros between 4 people'],
    de: ['was sind 20% Rabatt auf 80 Euro?', '15% Trinkgeld auf 42,50', 'teile 120 Euro durch 4 Personen'],
  },
  recognize: (request) => {
    for (const answer of [
      exchange,
      ...sums,
      split,
      tip,
      off,
      net,
      plus,
      share,
      change,
      bill,
      rates,
      times,
      proportion,
      period,
      consumption,
    ]) {
      const found = answer(request);
      if (found) return found;
    }
    return undefined;
  },
};

type Answer = (request: UserRequest) => Intent | undefined;

/** The amount, its rate, and how amounts are written like the one in the request. */
function read(slots: Slots | undefined, { language }: UserRequest) {
  const amount = slots?.amount ?? '';
  const number = readNumber(/\d[\d.,'’]*/u.exec(amount)?.[0].replace(/[.,]$/u, '') ?? '', language);
  const rate = slots?.rate === undefined ? undefined : readNumber(slots.rate, language);
  const unit = amount.replace(/[\d.,'’\s]+/gu, '');
  const written = (value: number) => {
    const shown = showMoney(value, language);
    if (unit === '') return shown;
    return /^\s*[$€£]/u.test(amount) ? `${unit}${shown}` : `${shown} ${unit}`;
  };
  return slots === undefined || Number.isNaN(number) ? undefined : { number, rate, written };
}

const off: Answer = (request) => {
  const found = read(OFF(request.plain), request);
  if (!found || found.rate === undefined) return undefined;
  const { number, rate, written } = found;
  const saved = (number * rate) / 100;
  return say(
    request.in(
      `${written(number - saved)} (${written(saved)} off).`,
      `${written(number - saved)} (${written(saved)} gespart).`,
    ),
  );
};

const tip: Answer = (request) => {
  const found = read(TIP(request.plain), request);
  if (!found) return undefined;
  const { number, written, rate = USUAL_TIP } = found;
  const amount = (number * rate) / 100;
  const percent = `${showNumber(rate, request.language)}${request.in('%', ' %')}`;
  return say(
    request.in(
      `A tip of ${percent} is ${written(amount)}; ${written(number + amount)} in all.`,
      `${percent} Trinkgeld sind ${written(amount)}, zusammen ${written(number + amount)}.`,
    ),
  );
};

const plus: Answer = (request) => {
  const found = read(PLUS(request.plain), request);
  if (!found || found.rate === undefined) return undefined;
  const { number, rate, written } = found;
  const more = (number * rate) / 100;
  return say(
    request.in(
      `${written(number + more)} (${written(more)} on top).`,
      `${written(number + more)} (${written(more)} dazu).`,
    ),
  );
};

const net: Answer = (request) => {
  const found = read(NET(request.plain), request);
  if (!found || found.rate === undefined) return undefined;
  const before = found.number / (1 + found.rate / 100);
  const inIt = found.written(found.number - before);
  return say(
    request.in(
      `${found.written(before)} (${inIt} of it is tax).`,
      `${found.written(before)} (${inIt} davon sind Steuer).`,
    ),
  );
};

const split: Answer = (request) => {
  const slots = SPLIT(request.plain);
  const found = read(slots, request);
  const people = Number(wordsToDigits(slots?.n ?? ''));
  if (!found || !Number.isInteger(people) || people < 1) return undefined;
  const each = found.written(found.number / people);
  return say(request.in(`${each} each.`, `${each} für jeden.`));
};

const share: Answer = (request) => {
  const slots = SHARE(request.plain);
  const [part, whole] = [slots?.part ?? slots?.part2, slots?.whole ?? slots?.whole2].map((text) =>
    readNumber(text ?? '', request.language),
  );
  if (!slots || part === undefined || !whole) return undefined;
  const percent = showNumber(Number(((part / whole) * 100).toFixed(2)), request.language);
  return say(
    request.in(
      `${part} is ${percent}% of ${whole}.`,
      `${showNumber(part, 'de')} sind ${percent} % von ${showNumber(whole, 'de')}.`,
    ),
  );
};

const change: Answer = (request) => {
  const slots = CHANGE(request.plain);
  const [a, b] = [slots?.a ?? '', slots?.b ?? ''].map((text) => readNumber(text, request.language));
  if (!slots || !a || b === undefined) return undefined;
  const percent = Number((((b - a) / a) * 100).toFixed(2));
  const shown = `${percent > 0 ? '+' : ''}${showNumber(percent, request.language)}`;
  return say(
    request.in(`${shown}% from ${a} to ${b}.`, `${shown} % von ${showNumber(a, 'de')} auf ${showNumber(b, 'de')}.`),
  );
};

const exchange: Answer = ({ plain, in: either }) =>
  FOREIGN(plain) &&
  say(
    either(
      'I know no exchange rates. "search the web for euro dollar rate" looks them up.',
      'Ich kenne keine Wechselkurse. „such im Web nach Euro Dollar Kurs“ sieht nach.',
    ),
  );
