import { describe, expect, test } from 'vitest';
import { type ApprovalRequest, NOBODY_TO_ASK } from '../base/turn.ts';
import { fakeScreen } from '../testing/fake-screen.ts';
import { testSession } from '../testing/session.ts';
import { approveOn } from './approval.ts';
import type { Screen } from './screen.ts';

const REQUEST: ApprovalRequest = {
  id: 'apr_1',
  tool: 'fetch_text',
  input: { url: 'https://example.org/?q=\u001b[2Jsecret' },
  destination: 'https://example.org/?q=secret',
  reason: 'it leaves the machine',
  provenance: { untrusted: true, private: true, sources: ['web page https://example.net', 'query_rag'] },
  hash: '00',
};

const screenWith = (reply: string | undefined) => fakeScreen({ isTerminal: true, replies: [reply] });
const decide = (screen: Screen, yes = false, request = REQUEST) =>
  approveOn(screen, testSession({ yes }), request, new AbortController().signal);

describe('an approval', () => {
  test.each([
    ['y', 'once'],
    [' YES ', 'once'],
    ['t', 'turn'],
    ['turn', 'turn'],
    ['always', 'always'],
    ['', 'denied'],
    ['n', 'denied'],
    ['yes please, and also', 'denied'],
  ])('%j means %s', async (reply, verdict) => {
    expect(await decide(screenWith(reply))).toEqual({ verdict, by: 'terminal' });
  });

  test('is not given by what was typed before the question could be read', async () => {
    const screen = fakeScreen({ isTerminal: true, replies: ['y', 'yes', undefined], readingMs: 20 });
    expect(await decide(screen)).toEqual(NOBODY_TO_ASK);
    expect(screen.notes.match(/typed before/gu)).toHaveLength(2);
  });

  test('is denied when nobody can be asked', async () => {
    expect(await decide(screenWith(undefined))).toEqual(NOBODY_TO_ASK);
  });

  test('--yes approves without asking', async () => {
    const screen = screenWith(undefined);
    expect(await decide(screen, true)).toEqual({ verdict: 'once', by: '--yes' });
    expect(screen.notes).toBe('');
  });

  test('shows what is sent where, why it is asked and what was read, and nothing that drives the terminal', async () => {
    const screen = screenWith('n');
    await decide(screen);
    for (const part of [
      'fetch_text',
      'https://example.org/?q=secret',
      'it leaves the machine',
      'web page https://example.net',
    ]) {
      expect(screen.notes.replaceAll('\n| ', '')).toContain(part);
    }
    expect(screen.notes).not.toContain('\u001b');
  });

  test('shows once what changes in a file', async () => {
    const screen = screenWith('n');
    const input = { path: 'prompt.txt', content: 'Be brief.' };
    await decide(screen, false, { ...REQUEST, tool: 'write_file', input, diff: '- Be long.\n+ Be brief.' });
    expect(screen.notes.match(/^ +[-+] .*$/gmu)).toEqual(['    - Be long.', '    + Be brief.']);
  });
});
