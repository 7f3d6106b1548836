import { expect, test } from 'vitest';
import { testTurn } from '../testing/agent.ts';
import type { Proposal } from '../tools/gate/proposals.ts';
import { proposalLines, withProposals } from './proposal-lines.ts';

function proposal(rest: Partial<Proposal>): Proposal {
  const where = { project: 'home', conversationId: 'conv_1', state: 'waiting' } as const;
  return { id: 'p_1', tool: 'send_mail', input: {}, target: undefined, ...where, ...rest } as Proposal;
}

const OTHER = { conversationId: 'conv_2' };

test.each<[string, Partial<Proposal>, readonly string[]]>([
  ['waits', {}, ["p_1 (send_mail) waits for the owner's approval: do not call it again."]],
  [
    'waits in another conversation',
    OTHER,
    ["p_1 (send_mail), of another conversation, waits for the owner's approval: do not call it again."],
  ],
  ['waits in another project', { project: 'garden' }, []],
  ['is being made', { state: 'running' }, []],
  ['was done', { state: 'done' }, ['p_1 (send_mail) was approved by the owner, and done.']],
  ['failed', { state: 'failed' }, ['p_1 (send_mail) was approved by the owner, but it failed.']],
  [
    'ended nobody knows how',
    { state: 'unknown' },
    ['p_1 (send_mail) was approved by the owner; how it ended is unknown.'],
  ],
  ['was denied', { state: 'denied' }, ['p_1 (send_mail) was denied by the owner, so it was not done.']],
  ['expired', { state: 'expired' }, ['p_1 (send_mail) was not decided in time, so it was not done.']],
  ['was done in another conversation', { ...OTHER, state: 'done' }, []],
  [
    'was done in this one for another project',
    { project: 'garden', state: 'done' },
    ['p_1 (send_mail) was approved by the owner, and done.'],
  ],
])('what a model is told of a call that %s', (_how, rest, lines) => {
  expect(proposalLines([proposal(rest)], testTurn('go'))).toEqual(lines);
});

test('a model is told first of those that wait', () => {
  const all = [proposal({ id: 'p_1', state: 'denied' }), proposal({ id: 'p_2' })];
  expect(proposalLines(all, testTurn('go')).map((line) => line.slice(0, 3))).toEqual(['p_2', 'p_1']);
});

const WAITING =
  'Waiting for your approval: send_mail bob@home.example. ' +
  '"wooster approve p_1" does it, "wooster deny p_1" drops it.';
const BARE = 'Waiting for your approval: tidy. "wooster approve p_2" does it, "wooster deny p_2" drops it.';

test.each<[string, string, readonly Proposal[], string]>([
  ['nothing, where none waits', 'Done.', [], 'Done.'],
  ['a line', 'Done.', [proposal({ target: 'bob@home.example' })], `Done.\n\n${WAITING}`],
  ['the line alone, where there are no words', '', [proposal({ target: 'bob@home.example' })], WAITING],
  [
    'a line for each',
    'Done.',
    [proposal({ target: 'bob@home.example' }), proposal({ id: 'p_2', tool: 'tidy' })],
    `Done.\n\n${WAITING}\n${BARE}`,
  ],
])('below an answer stands %s', (_what, text, proposals, whole) => {
  expect(withProposals(text, proposals)).toBe(whole);
});
