import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { createContext, Script } from 'node:vm';
import { parse } from 'acorn';
import { full } from 'acorn-walk';
import { describe, expect, test } from 'vitest';
import { readReply } from './agent/code/read-reply.ts';
import { plainLinks } from './base/plain-links.ts';
import { Redactor } from './base/redact.ts';
import { RedactingStream } from './base/redact-stream.ts';
import { STRANGER } from './base/turn.ts';
import { visibleLine } from './base/visible-characters.ts';
import { LONGEST_REQUEST } from './builtin/not-understood.ts';
import { readable } from './builtin/readable.ts';
import { recognizeIntent } from './builtin/recognize.ts';
import { inert } from './notify/inert.ts';
import { fastest, HOSTILE_SHAPES, PLAIN_TEXT, repeated } from './testing/hostile-shapes.ts';
import { unsupportedClaims } from './tools/gate/claim-check.ts';
import { isKnownAddress, isKnownLink, isKnownQuery } from './tools/gate/destinations.ts';
import { understandMove } from './when/move.ts';
import { asSpoken } from './when/spoken.ts';

/** A hostile text may take so many times as long as plain text does. One that is tried by combinations takes thousands. */
const FACTOR = 60;
/** What counts as no time at all. */
const LEAST_MS = 2;
/** The same for readers that parse what they read. */
const PARSE_MS = 10;

const redactor = new Redactor(['correct horse battery', 'hunter2 is it']);
const asking = { text: 'read it' };

/** Everything that reads what a model, a page or a document wrote, on its way through a turn. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'links of an answer': (text) => plainLinks(text, { mayLink: () => false, bare: true }),
  'allowed links of an answer': (text) => plainLinks(text, { mayLink: () => true, bare: false }),
  'a message of a stranger': (text) => inert(text, STRANGER),
  'a reply in code mode': (text) => readReply(text, false),
  'claims of an answer': (text) => unsupportedClaims(text, { turn: [], conversation: [] }),
  'a destination': (text) => isKnownAddress(text, { said: [asking.text], destinations: new Set() }),
  'a destination after long words': (text) =>
    isKnownAddress('https://a.example/', { said: [text], destinations: new Set() }),
  'a link': (text) => isKnownLink(`https://a.example/${text}`, { said: [text], destinations: new Set([text]) }),
  'a query': (text) => isKnownQuery(text, [text]),
  'secrets in a text': (text) => redactor.redact(text),
  'characters of an approval': (text) => visibleLine(text),
  'a request': recognized,
  'a request after one as long': (text) => recognized('and eggs', text),
  'a request that is read for a time': (text) => recognized(`remind me ${text}`.slice(0, LONGEST_REQUEST)),
  'a time for a tool': (text) => {
    expect(() => understandMove(text, { timeZone: 'UTC', from: new Date(0), current: new Date(0) })).toThrow();
    return asSpoken(text, { timeZone: 'UTC', now: new Date(0) });
  },
  'a note': (text) => recognized(`note: ${text}`),
  'a question': (text) => recognized(`what is ${text}?`),
  'a passage that is shown': (text) => readable(text),
};

/** What the built-in model makes of a text of the person's. */
function recognized(text: string, before?: string): unknown {
  const earlier = before === undefined ? [] : [{ by: 'person' as const, text: before }];
  return recognizeIntent({ text, now: new Date(0), timeZone: 'UTC', can: () => true, earlier });
}

/** Beginnings of requests, which phrases and words of time get far with. */
const REQUESTS = [
  '1+',
  'buy ',
  '5 miles to ',
  'in 5 ',
  '2 hours ',
  'thanks ',
  'please ',
  'tomorrow at 9 ',
  '5 ° ',
  '@',
];
const SHAPES = [...HOSTILE_SHAPES, ...REQUESTS.map((unit) => [unit, repeated(unit)] as const)];

/** The hostile shapes on which `read` takes too long, compared with plain text. */
function slowShapes(read: (text: string) => unknown, shapes = SHAPES): string[] {
  const ofPlain = fastest(() => read(PLAIN_TEXT), { times: 3, enoughMs: PARSE_MS });
  const boundMs = Math.max(PARSE_MS, ofPlain) * FACTOR;
  const isSlow = (text: string) => fastest(() => read(text), { times: 3, enoughMs: boundMs }) > boundMs;
  return shapes.filter(([, text]) => isSlow(text)).map(([name]) => name);
}

test('there are 40 shapes', () => expect(HOSTILE_SHAPES.length).toBeGreaterThanOrEqual(40));

test.each(Object.entries(READERS))('%s', (_name, read) => expect(slowShapes(read)).toEqual([]));

test('an answer that arrives in pieces', () => {
  const stream = (text: string) => {
    const redacting = new RedactingStream(redactor);
    for (let at = 0; at < text.length; at += 4) redacting.write(text.slice(at, at + 4));
    redacting.end();
  };
  // One in four, and whatever could be the beginning of a secret.
  const shapes = HOSTILE_SHAPES.filter(([name], at) => at % 4 === 0 || /key|token|cookie|bearer|BEGIN/u.test(name));
  expect(slowShapes(stream, shapes)).toEqual([]);
});

/** A pattern of the program, with where it stands. */
interface Found {
  readonly where: string;
  readonly source: string;
  readonly flags: string;
}

/** Nobody hands these a long text: settings, the short answers of other programs, and one time of at most 500 characters. */
const SHORT = ['src/settings/**', 'src/store/postgres/**', 'src/workspace/*', 'src/when/understand.ts'];

function patternsOf(file: string): Found[] {
  const program = stripTypeScriptTypes(readFileSync(file, 'utf8'));
  const found: Found[] = [];
  const options = { ecmaVersion: 'latest', sourceType: 'module', locations: true } as const;
  full(parse(program, options), (node) => {
    const { regex } = node as { regex?: { pattern: string; flags: string } };
    if (node.type !== 'Literal' || !regex) return;
    found.push({ where: `${file}:${node.loc?.start.line}`, source: regex.pattern, flags: regex.flags });
  });
  return found;
}

/** Words and marks of a pattern, each repeated: the texts on which it gets as far as it can without a match. */
function shapesFor(source: string): string[] {
  const words = source.replace(/\\[a-zA-Z](?:\{[^}]*\})?/gu, ' ').match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  const marks = source.match(/[^\p{L}\p{N}\s\\]/gu) ?? [];
  const units = [...words.flatMap((word) => [word, `${word} `]), ...marks, ...marks.map((mark) => `${mark}a`)];
  return [...new Set(units)].map((unit) => repeated(unit));
}

const FILES = globSync('src/**/*.ts', {
  exclude: ['src/testing/**', 'src/**/*.test.ts', 'src/**/*.contract.ts', ...SHORT],
}).filter((file) => patternsOf(file).length > 0);

describe('every pattern in the program', () => {
  const world = createContext({ pattern: /x/u, texts: [''] });
  const match = new Script('for (const text of texts) pattern.global ? text.replace(pattern, "") : pattern.test(text)');
  const msOf = (texts: readonly string[], timeout: number) => {
    world.texts = texts;
    const started = performance.now();
    try {
      match.runInContext(world, { timeout: Math.ceil(timeout) });
    } catch {
      return Number.POSITIVE_INFINITY;
    }
    return performance.now() - started;
  };

  test.each(FILES)('%s', (file) => {
    const slow: string[] = [];
    for (const { where, source, flags } of patternsOf(file)) {
      world.pattern = new RegExp(source, flags);
      const boundMs = Math.max(LEAST_MS, msOf([PLAIN_TEXT], 1000)) * FACTOR;
      const texts = [...HOSTILE_SHAPES.map(([, text]) => text), ...shapesFor(source)];
      // All of them in the time that one may take: nearly every pattern is done with that.
      if (msOf(texts, boundMs) <= boundMs) continue;
      // What is slow by a pause of the machine is not so again.
      const bad = texts.find((text) => msOf([text], boundMs) > boundMs && msOf([text], boundMs) > boundMs);
      if (bad !== undefined) slow.push(`${where} on ${JSON.stringify(bad.slice(0, 20))}`);
    }
    expect(slow).toEqual([]);
  });
});
