import { type PolicyQuestion, policy } from './policy.ts';

/** What a conversation may have read; one column each. */
const STATES = [
  { title: 'read nothing', untrusted: false, private: false },
  { title: 'private text', untrusted: false, private: true },
  { title: 'untrusted content', untrusted: true, private: false },
  { title: 'both', untrusted: true, private: true },
] as const;

/** What a row fixes; the rest is filled in with the strictest values. */
type Case = Pick<PolicyQuestion, 'effect'> & Partial<PolicyQuestion>;

const CASES: readonly (readonly [title: string, question: Case])[] = [
  ['reads only', { effect: 'none' }],
  ["goes to an address from the person's words or a search", { effect: 'none', destination: 'derived' }],
  ['goes to any other address', { effect: 'none', destination: 'free' }],
  ['local: appends', { effect: 'local', change: 'append' }],
  ['local: overwrites', { effect: 'local', change: 'overwrite' }],
  ['local: deletes', { effect: 'local', change: 'delete' }],
  ['local: schedules', { effect: 'local', change: 'schedule' }],
  ['local: changes settings', { effect: 'local', change: 'settings' }],
  ["outbound: to the owner's own channel", { effect: 'outbound', recipient: 'own' }],
  ["outbound: to the job's own channel", { effect: 'outbound', recipient: 'job' }],
  ['outbound: where a rule allows it', { effect: 'outbound', recipient: 'ruled' }],
  ['outbound: to anybody else', { effect: 'outbound', recipient: 'other' }],
];

/** The policy as a Markdown table; the policy itself fills in every cell. */
export function policyTable(): string {
  const rows = CASES.map(
    ([title, question]) => `| ${title} | ${STATES.map((state) => cell(question, state)).join(' | ')} |`,
  );
  const head = `| A call that | ${STATES.map(({ title }) => title).join(' | ')} |`;
  return [head, `|---|${STATES.map(() => '---').join('|')}|`, ...rows].join('\n');
}

function cell(question: Case, state: Pick<PolicyQuestion, 'untrusted' | 'private'>): string {
  const whole = { change: 'overwrite', recipient: 'other', destination: 'none', ...question, ...state } as const;
  return policy(whole).verdict === 'allow' ? 'runs' : '**needs approval**';
}
