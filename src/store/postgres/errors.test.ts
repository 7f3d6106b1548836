import { expect, test } from 'vitest';
import { AssistantError } from '../../base/errors.ts';
import { explain, isConflict, isOutdatedPlan, isSilence, serverOf } from './errors.ts';

const coded = (code: string, message = 'no') => Object.assign(new Error(message), { code });
const explained = (cause: unknown) => new AssistantError('store_unavailable', 'no', { hint: '', cause });

test.each(['40001', '40P01', '55P03'])('%s is a conflict, also while committing', (code) => {
  expect([isConflict(coded(code), false), isConflict(coded(code), true)]).toEqual([true, true]);
  expect(isConflict(explained(coded(code)), true)).toBe(true);
});

test.each(['57P01', '57P02', '57P03', '08006', '08003', 'ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT'])(
  '%s: the connection is lost; while committing nobody knows what became of it',
  (code) => {
    expect([isConflict(coded(code), false), isConflict(coded(code), true)]).toEqual([true, false]);
  },
);

test('a connection that ended is lost, one that was too slow is silent, and one known to be broken sent nothing', () => {
  const ended = new Error('Connection terminated unexpectedly');
  expect([isConflict(ended, false), isConflict(ended, true), isSilence(ended)]).toEqual([true, false, false]);
  const slow = new Error('Connection terminated due to connection timeout');
  expect([isConflict(slow, false), isSilence(slow), isSilence(explained(slow))]).toEqual([false, true, true]);
  const unsent = new Error('Client has encountered a connection error and is not queryable');
  expect([isConflict(unsent, true), isSilence(unsent)]).toEqual([true, false]);
});

test.each([coded('23505'), coded('157P01'), coded('57P04'), new Error('the Connection terminated'), 'no', null])(
  '%s is no conflict',
  (error) => expect(isConflict(error, false)).toBe(false),
);

test('a plan is outdated where the server says so in these words', () => {
  const plan = coded('0A000', 'cached plan must not change result type');
  expect([isOutdatedPlan(plan), isConflict(plan, true)]).toEqual([true, true]);
  expect(isOutdatedPlan(coded('0A000', 'LISTEN is not supported'))).toBe(false);
  expect(isOutdatedPlan(coded('42601', 'cached plan'))).toBe(false);
});

const SERVER = 'db.test/wooster';

test.each([
  [coded('28P01'), `The database server ${SERVER} refused the login.`, /user and the password/u],
  [coded('28000'), `The database server ${SERVER} refused the login.`, /user and the password/u],
  [new Error('SASL: no password'), `The database server ${SERVER} refused the login.`, /user and the password/u],
  [coded('3D000'), `There is no database ${SERVER}.`, /createdb NAME/u],
  [coded('42501'), `The role may not do this on the database ${SERVER}.`, /may create tables/u],
  [coded('42P07'), `The database ${SERVER} has tables of another program.`, /database of its own/u],
  [coded('53300'), `The database server ${SERVER} has no connection left.`, /WOOSTER_STORE_POOL/u],
  [coded('25006'), `The database server ${SERVER} is a read-only replica.`, /primary server/u],
  [coded('55000'), `The database server ${SERVER} is a read-only replica.`, /primary server/u],
  [coded('X', 'gone'), `The database server ${SERVER} cannot be used: gone.`, /is running/u],
  [coded('ECONNREFUSED', ''), `The database server ${SERVER} cannot be used: ECONNREFUSED.`, /is running/u],
])('%s is explained', (error, message, hint) => {
  expect(explain(SERVER, error)).toMatchObject({
    ...{ code: 'store_unavailable', message, hint: expect.stringMatching(hint), cause: error },
  });
});

test('what was explained stays as it is', () => {
  const error = explained(coded('3D000'));
  expect(explain(SERVER, error)).toBe(error);
});

test('a server is named by host, port and database', () => {
  expect(serverOf('postgres://anna:secret@db.test:5433/wooster?sslmode=require')).toBe('db.test:5433/wooster');
  expect(serverOf('postgresql://db.test/w')).toBe('db.test/w');
  for (const url of ['mysql://db.test/w', 'xpostgres://db.test/w', 'postgresqlx://db.test/w', 'db.test', ''])
    expect(() => serverOf(url)).toThrow(
      expect.objectContaining({
        code: 'bad_setting',
        message: 'WOOSTER_STORE_URL is not the URL of a PostgreSQL database.',
        hint: 'It looks like postgres://USER:PASSWORD@HOST:5432/DATABASE.',
      }),
    );
});
