import { type EffectClass, type PolicyQuestion, policy } from './policy.ts';

/** What a conversation may have read; one column each. */
const STATES = [
  { title: 'read nothing', untrusted: false, private: false },
  { title: 'private text', untrusted: false, private: true },
  { title: 'untrusted content', untrusted: true, private: false },
  { title: 'both', untrusted: true, private: true },
] as const;

type Case = Pick<PolicyQuestion, 'can'> & Partial<PolicyQuestion>;

const CASES: readonly (readonly [title: string, question: Case])[] = [
  ['only reads here', { can: 'none' }],
  ["goes to an address of the owner's words or of a search", { can: 'none', destination: 'derived' }],
  ['goes to any other address, or searches for other words', { can: 'none', destination: 'free' }],
  ['changes something here that can be undone', { can: 'recoverable' }],
  ['overwrites or deletes something here that is not kept', { can: 'unkept' }],
  ['runs a command that has a network', { can: 'recoverable', destination: 'free' }],
  ['plans a prompt for later', { can: 'later' }],
  ['tells the owner', { can: 'owner' }],
  ['calls a tool of an MCP server', { can: 'service' }],
  ['changes a control file or a setting', { can: 'control' }],
  ['reaches anybody else', { can: 'others' }],
  ['reaches somebody whom a standing rule names', { can: 'others', ruled: true }],
  ['cannot be undone', { can: 'irrecoverable' }],
];

/** What each class stands for, in the words of a person. */
const EXAMPLES: Readonly<Record<EffectClass, string>> = {
  none: 'reading a file, searching the documents, looking at a page',
  recoverable:
    'a note; creating, editing, overwriting or deleting a file of the project; an artifact; cancelling a job',
  unkept: "a plugin's own data, where the plugin keeps no earlier version",
  later: 'a reminder, a scheduled prompt',
  owner: "the terminal, the owner's own configured channel, the channel of the running job",
  service: 'a tool of an MCP server',
  control: [
    '`prompt.txt`, `wooster.config.json`, skills, plugins, `prompts/`, dot-files',
    'scripts and build files that the request does not name',
    'once text from outside was read, any file but plain text, and a fact to remember in other words than yours',
  ].join('; '),
  others: 'a message, mail or webhook to anybody but the owner',
  irrecoverable: 'deleting for good, spending over a budget',
};

/** The policy as a Markdown table; the policy itself fills in every cell. */
export function policyTable(): string {
  const rows = CASES.map(
    ([title, question]) => `| ${title} | ${STATES.map((state) => cell(question, state)).join(' | ')} |`,
  );
  const head = `| A call that | ${STATES.map(({ title }) => title).join(' | ')} |`;
  return [head, `|---|${STATES.map(() => '---').join('|')}|`, ...rows].join('\n');
}

/** In words, by in how many of the states a class asks. */
const HOW_OFTEN: Readonly<Record<number, string>> = {
  0: 'never',
  1: 'after private text and untrusted content',
  2: 'after untrusted content',
  4: 'always',
};

/** What is never asked, always asked, and why: one row per class, in the words of the policy itself. */
export function classTable(): string {
  const rows = Object.entries(EXAMPLES).map(([can, examples]) => {
    const answers = STATES.map((state) => policy(whole({ can: can as EffectClass }, state)));
    const asks = answers.filter(({ verdict }) => verdict === 'approve');
    return `| ${examples} | ${HOW_OFTEN[asks.length]} | ${(asks[0] ?? answers[0])?.reason} |`;
  });
  return ['| What a call does | Asks | Because |', '|---|---|---|', ...rows].join('\n');
}

function cell(question: Case, state: Pick<PolicyQuestion, 'untrusted' | 'private'>): string {
  return policy(whole(question, state)).verdict === 'allow' ? 'runs' : '**needs approval**';
}

function whole(question: Case, state: Pick<PolicyQuestion, 'untrusted' | 'private'>): PolicyQuestion {
  return { destination: 'none', ruled: false, ...question, ...state };
}
