import { chownSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AssistantError } from '../../base/errors.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { explain, isBusy, isConflict } from './errors.ts';

const coded = (errcode: number, message = 'no') => Object.assign(new Error(message), { errcode });

test('who is in the way is waited for, and one that wrote meanwhile is not', () => {
  const [busy, recovering, locked, snapshot, other] = [5, 261, 6, 517, 19].map((code) => coded(code));
  expect([busy, recovering, locked, snapshot, other].map(isBusy)).toEqual([true, true, false, false, false]);
  expect([busy, recovering, locked, snapshot, other].map(isConflict)).toEqual([true, true, true, true, false]);
});

test('an error of opening is explained by what can be done about it', () => {
  const path = join(temporaryFolder(), 'w.sqlite3');
  const said = (error: unknown) => {
    const { code, message, hint, cause } = explain(path, error) as AssistantError;
    expect(cause).toBe(error);
    return [code, message, hint];
  };
  expect(said(coded(5))).toEqual([
    'store_unavailable',
    `Another program holds the database ${path}.`,
    'Close the other program, or start with another --home.',
  ]);
  expect(said(coded(13))).toEqual([
    'home_not_writable',
    'The disk is full.',
    expect.stringContaining('Free some space'),
  ]);
  for (const error of [...[3, 8, 10, 14, 8 + 256].map((code) => coded(code)), new Error('no')])
    expect(said(error)).toEqual([
      'home_not_writable',
      `The database ${path} cannot be written: no.`,
      'Make the folder writable, or start with --home DIR (or WOOSTER_HOME) pointing to one that is.',
    ]);
  expect(said(coded(11, 'malformed'))).toEqual([
    'store_damaged',
    `The database ${path} cannot be used: malformed.`,
    expect.stringMatching(/wooster restore FILE.*--salvage/u),
  ]);
  const known = new AssistantError('home_moved', 'no', { hint: '' });
  expect(explain(path, known)).toBe(known);
});

test('whose folder it is decides what can be done about a database that cannot be written', () => {
  const dir = temporaryFolder();
  if (process.getuid?.() === 0) chownSync(dir, 4711, 4711);
  const { uid } = statSync(dir);
  const { getuid } = process;
  onTestFinished(() => void Object.assign(process, { getuid }));
  const hintFor = (user: (() => number) | undefined, path = join(dir, 'none/state/w.sqlite3')) => {
    Object.assign(process, { getuid: user });
    return (explain(path, coded(14)) as AssistantError).hint;
  };
  const own = 'Make the folder writable, or start with --home DIR (or WOOSTER_HOME) pointing to one that is.';
  const others =
    'It belongs to another user: start with --home DIR (or WOOSTER_HOME) pointing to a folder of your own.';
  expect(hintFor(() => uid + 1)).toBe(others);
  expect(hintFor(() => uid + 1, dir)).toBe(others);
  // One's own, root, where users have no number, and where there is no folder to belong to anybody.
  expect([hintFor(() => uid), hintFor(() => 0), hintFor(undefined), hintFor(() => uid + 1, '/')]).toEqual(
    Array(4).fill(own),
  );
});
