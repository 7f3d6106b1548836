import { describe, expect, test } from 'vitest';
import {
  classOf,
  type DeclaredEffect,
  EFFECT_CLASSES,
  type EffectClass,
  type PolicyQuestion,
  policy,
} from './policy.ts';
import { readWhy, writeWhy } from './why.ts';

const STATES = {
  nothing: { untrusted: false, private: false },
  private: { untrusted: false, private: true },
  outside: { untrusted: true, private: false },
  both: { untrusted: true, private: true },
} as const;

const A = 'allow';
const Q = 'approve';

type Verdicts = readonly [nothing: string, own: string, outside: string, both: string];

/** By hand from the architecture page. */
const CELLS: readonly (readonly [Pick<PolicyQuestion, 'can'> & Partial<PolicyQuestion>, Verdicts])[] = [
  [{ can: 'none' }, [A, A, A, A]],
  [{ can: 'none', destination: 'derived' }, [A, A, A, A]],
  [{ can: 'none', destination: 'free' }, [A, A, A, Q]],
  [{ can: 'recoverable' }, [A, A, A, A]],
  [{ can: 'recoverable', destination: 'free' }, [A, A, A, Q]],
  [{ can: 'unkept' }, [A, A, Q, Q]],
  [{ can: 'later' }, [A, A, A, A]],
  [{ can: 'owner' }, [A, A, A, A]],
  [{ can: 'owner', destination: 'free' }, [A, A, A, Q]],
  [{ can: 'service' }, [A, A, A, Q]],
  [{ can: 'control' }, [Q, Q, Q, Q]],
  [{ can: 'control', ruled: true }, [Q, Q, Q, Q]],
  [{ can: 'others' }, [Q, Q, Q, Q]],
  [{ can: 'others', ruled: true }, [A, A, A, A]],
  [{ can: 'others', ruled: true, destination: 'derived' }, [A, A, A, A]],
  [{ can: 'irrecoverable' }, [Q, Q, Q, Q]],
  [{ can: 'irrecoverable', ruled: true }, [Q, Q, Q, Q]],
];

const whole = (question: (typeof CELLS)[number][0], state: keyof typeof STATES): PolicyQuestion => ({
  destination: 'none',
  ruled: false,
  ...question,
  ...STATES[state],
});

describe('the policy, cell by cell', () => {
  const states = Object.keys(STATES) as (keyof typeof STATES)[];
  const cells = CELLS.flatMap(([question, verdicts]) =>
    states.map((state, index) => ({ question, state, verdict: verdicts[index] })),
  );
  test.each(cells)('$question after reading $state: $verdict', ({ question, state, verdict }) => {
    const answer = policy(whole(question, state));
    expect(answer.verdict).toBe(verdict);
    expect(answer.reason).not.toBe('');
  });

  test('every class has a row', () => {
    expect(new Set(CELLS.map(([{ can }]) => can))).toEqual(new Set(EFFECT_CLASSES));
  });
});

describe('what a call can do', () => {
  const plain: DeclaredEffect = {
    effect: 'local',
    change: undefined,
    versioned: false,
    control: false,
    recipient: undefined,
  };
  const owner = { channel: 'terminal', address: 'owner', own: true };
  test.each<[string, Partial<DeclaredEffect>, EffectClass]>([
    ['a tool that reads', { effect: 'none' }, 'none'],
    ['a message to the owner', { effect: 'outbound', recipient: owner }, 'owner'],
    ['a message to another', { effect: 'outbound', recipient: { ...owner, own: false } }, 'others'],
    ['a tool that says nothing about whom it reaches', { effect: 'outbound' }, 'others'],
    ['appending', { change: 'append' }, 'recoverable'],
    ['overwriting what is kept', { change: 'overwrite', versioned: true }, 'recoverable'],
    ['deleting what is kept', { change: 'delete', versioned: true }, 'recoverable'],
    ['overwriting what is not kept', { change: 'overwrite' }, 'unkept'],
    ['deleting what is not kept', { change: 'delete' }, 'unkept'],
    ['a local tool that says nothing', {}, 'unkept'],
    ['planning', { change: 'schedule' }, 'later'],
    ['a setting', { change: 'settings' }, 'control'],
    ['a control file, although it is kept', { change: 'overwrite', versioned: true, control: true }, 'control'],
    ['a new control file', { change: 'append', control: true }, 'control'],
    ['for good', { change: 'purge' }, 'irrecoverable'],
    ['for good, although it says that it is kept', { change: 'purge', versioned: true }, 'irrecoverable'],
  ])('%s', (_, effect, can) => expect(classOf({ ...plain, ...effect })).toBe(can));
});

test('what was decided by is kept, and gives the same decision again', () => {
  const question = whole({ can: 'others' }, 'both');
  const kept = readWhy(writeWhy({ question, sources: ['read_mail'] }));
  expect(kept).toEqual({ question, sources: ['read_mail'], answer: policy(question) });
  expect(readWhy(null)).toBeUndefined();
});
