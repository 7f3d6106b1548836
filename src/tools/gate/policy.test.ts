import { describe, expect, test } from 'vitest';
import { type PolicyQuestion, policy } from './policy.ts';

const STATES = {
  nothing: { untrusted: false, private: false },
  private: { untrusted: false, private: true },
  strangers: { untrusted: true, private: false },
  both: { untrusted: true, private: true },
} as const;

const A = 'allow';
const Q = 'approve';

/** By hand from the architecture page: read nothing, private text, untrusted content, both. */
const CELLS: readonly (readonly [Partial<PolicyQuestion>, readonly [string, string, string, string]])[] = [
  [{ effect: 'none' }, [A, A, A, A]],
  [{ effect: 'none', destination: 'derived' }, [A, A, A, A]],
  [{ effect: 'none', destination: 'free' }, [A, A, A, Q]],
  [{ effect: 'local', change: 'append' }, [A, A, A, A]],
  [{ effect: 'local', change: 'overwrite' }, [A, A, Q, Q]],
  [{ effect: 'local', change: 'delete' }, [A, A, Q, Q]],
  [{ effect: 'local', change: 'schedule' }, [A, A, Q, Q]],
  [{ effect: 'local', change: 'settings' }, [A, A, Q, Q]],
  [{ effect: 'local', change: 'append', destination: 'free' }, [A, A, A, Q]],
  [{ effect: 'outbound', recipient: 'own' }, [A, A, Q, Q]],
  [{ effect: 'outbound', recipient: 'job' }, [A, A, A, A]],
  [{ effect: 'outbound', recipient: 'ruled' }, [A, A, A, A]],
  [{ effect: 'outbound', recipient: 'other' }, [Q, Q, Q, Q]],
  [{ effect: 'outbound', recipient: 'own', destination: 'free' }, [A, A, Q, Q]],
  [{ effect: 'outbound', recipient: 'job', destination: 'free' }, [A, A, A, Q]],
  [{ effect: 'outbound', recipient: 'ruled', destination: 'derived' }, [A, A, A, A]],
];

describe('the policy, cell by cell', () => {
  const cells = CELLS.flatMap(([question, verdicts]) =>
    Object.entries(STATES).map(([state, flags], index) => ({ question, state, flags, verdict: verdicts[index] })),
  );
  test.each(cells)('$question after reading $state: $verdict', ({ question, flags, verdict }) => {
    const whole = {
      effect: 'none',
      change: 'overwrite',
      recipient: 'other',
      destination: 'none',
      ...question,
      ...flags,
    } as const;
    expect(policy(whole).verdict).toBe(verdict);
  });
});

test('every answer says why', () => {
  for (const [question] of CELLS)
    for (const flags of Object.values(STATES)) {
      const whole = {
        effect: 'none',
        change: 'overwrite',
        recipient: 'other',
        destination: 'none',
        ...question,
        ...flags,
      } as const;
      expect(policy(whole).reason).not.toBe('');
    }
});
