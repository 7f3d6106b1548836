import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readExamples, taught } from '../base/examples.ts';
import type { DoneCall } from '../models/message-data.ts';
import { rowsOf } from '../testing/rows.ts';
import { LONGEST_REQUEST } from './not-understood.ts';
import { recognizeIntent } from './recognize.ts';
import type { Intent, Result } from './request.ts';

/** A request, and what becomes of it: one line of requests.jsonl. */
interface Row {
  readonly said: string;
  /** Instant and zone; a Sunday at 16:00 unless given. */
  readonly at?: string;
  /** What was said before, oldest first; `> ` begins what the person said. */
  readonly earlier?: readonly string[];
  /** What the turns before did. */
  readonly done?: readonly Pick<DoneCall, 'ago' | 'tool' | 'value'>[];
  readonly due?: boolean;
  readonly facts?: readonly string[];
  /** Tools that are not there. */
  readonly without?: readonly string[];
  /** Exactly one of these: the calls, the reply, or what is asked back. */
  readonly act?: readonly (readonly [tool: string, input: Readonly<Record<string, unknown>>])[];
  readonly say?: string;
  readonly ask?: string;
  /** What the person is told about results of these calls. */
  readonly tells?: readonly Told[];
}

interface Told {
  readonly results: readonly Partial<Result>[];
  readonly told: string;
  /** Which call the result is of, where each is told by itself. */
  readonly at?: number;
  readonly together?: boolean;
}

const USUAL = '2026-11-22T16:00Z UTC';
const ROOT = resolve(import.meta.dirname, '../..');
/** What the tools of the program and the calendar are taught; the other plugins are off. */
const examples = globSync(['src/tools/builtin/*.examples.jsonl'], { cwd: ROOT }).flatMap((path) =>
  readExamples(readFileSync(join(ROOT, path), 'utf8'), path).flatMap((each) => taught(each)),
);
const rows = rowsOf<Row>(import.meta.dirname, 'requests');

function understood({ said, at = USUAL, earlier = [], done = [], due, facts, without = [] }: Row): Intent {
  const [now = '', timeZone = ''] = at.split(' ');
  return recognizeIntent({
    text: said,
    now: new Date(now),
    timeZone,
    can: (tool) => !without.includes(tool),
    earlier: earlier.map((text) =>
      text.startsWith('> ') ? { by: 'person', text: text.slice(2) } : { by: 'assistant', text },
    ),
    done: done.map((call, at) => ({ id: `eff_${at}`, input: {}, ...call })),
    isDue: due,
    facts,
    examples,
  });
}

function outcomeOf(found: Intent): Pick<Row, 'act' | 'say' | 'ask'> {
  return found.kind === 'act'
    ? { act: found.actions.map(({ tool, input }) => [tool, input]) }
    : { [found.kind]: found.text };
}

function tellingOf(found: Intent, { results, at = 0, together }: Told): string | undefined {
  if (found.kind !== 'act') return undefined;
  const whole = results.map(
    ({ value, text = String(value), ok = true, told }): Result => ({
      told,
      ok,
      text,
      value,
      input: found.actions[at]?.input ?? {},
    }),
  );
  return together ? found.together?.(whole) : whole[0] && found.actions[at]?.say(whole[0]);
}

test.each(rows.map((row) => [row.said, row] as const))('%s', (_said, row) => {
  const found = understood(row);
  const { act, say, ask } = row;
  expect(outcomeOf(found)).toEqual({ ...(act && { act }), ...(say && { say }), ...(ask && { ask }) });
  for (const each of row.tells ?? []) expect(tellingOf(found, each)).toBe(each.told);
});

test('a text too long for a request is searched for or noted, else its length is told', () => {
  const long = 'The orchard was quiet. '.repeat(LONGEST_REQUEST / 10);
  const outcome = (said: string) => outcomeOf(understood({ said }));
  expect(outcome(long).say).toContain('longer than the 2000 characters');
  expect(outcome(`what is ${long}?`).act).toMatchObject([['query_rag', {}]]);
  expect(outcome(`what is ${long.repeat(3)}?`).say).toBeDefined();
  expect(outcome(`note: ${long}`).act).toEqual([['write_note', { text: long.trim().replace(/\.$/u, '') }]]);
});
