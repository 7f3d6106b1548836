import type { Transaction } from 'kysely';
import { expect, test, vi } from 'vitest';
import type { TransactionOptions } from './contract.ts';
import type { Database } from './schema.ts';
import { type TransactionKind, Transactions } from './transactions.ts';

const TX = {} as Transaction<Database>;

/** Transactions of a database that has none: what was begun, and what became of it. */
function setUp({ commit = async () => {}, ...rest }: Partial<TransactionKind> & { commit?: () => Promise<void> } = {}) {
  const begun: TransactionOptions[] = [];
  const asked: unknown[] = [];
  const kind: TransactionKind = {
    async begin(options, work) {
      begun.push(options);
      const done = await work(TX);
      await commit();
      return done;
    },
    isConflict(error, committing) {
      asked.push([(error as Error).message, committing]);
      return false;
    },
    ...rest,
  };
  return { transactions: new Transactions(kind), begun, asked };
}

const failing = (message: string) => () => Promise.reject(new Error(message));

test('whether to repeat is asked with whether the commit was under way', async () => {
  const before = setUp({ begin: failing('no connection') });
  await expect(before.transactions.run({}, async () => 1)).rejects.toThrow('no connection');
  const within = setUp();
  await expect(within.transactions.run({}, failing('no'))).rejects.toThrow('no');
  const after = setUp({ commit: failing('connection lost') });
  await expect(after.transactions.run({}, async () => 1)).rejects.toThrow('connection lost');
  expect([before.asked, within.asked, after.asked]).toEqual([
    [['no connection', false]],
    [['no', false]],
    [['connection lost', true]],
  ]);
});

test('what the work threw is what is thrown, although rolling back failed as well', async () => {
  const { transactions } = setUp({
    begin: async (_options, work) => {
      await work(TX).catch(() => {});
      throw new Error('cannot roll back');
    },
  });
  await expect(transactions.run({}, failing('the reason'))).rejects.toThrow('the reason');
});

test('what is to be written alongside waits for a transaction that is not shared', async () => {
  const { transactions } = setUp();
  const write = vi.fn(async () => {});
  transactions.alongside(write);
  await transactions.run({ shared: true }, async () => {});
  expect(write).not.toHaveBeenCalled();
  await transactions.run({}, async () => expect(write).not.toHaveBeenCalled());
  expect(write).toHaveBeenCalledOnce();
  await transactions.run({}, async () => {});
  expect(write).toHaveBeenCalledOnce();
});

test('any number of writes alongside that fail cost a try each, and the transaction comes through', async () => {
  const { transactions, begun, asked } = setUp();
  let tries = 0;
  const ends: boolean[] = [];
  const work = async () => {
    transactions.atEnd((committed) => ends.push(committed));
    if (++tries <= 4) transactions.alongside(failing('full'));
    return 'done';
  };
  expect(await transactions.run({}, work)).toBe('done');
  expect([begun.length, asked, ends]).toEqual([5, [], [false, false, false, false, true]]);
});

test('within a transaction, work joins it with its options and is begun once', async () => {
  const joined: unknown[] = [];
  const { transactions, begun } = setUp({
    join: async (tx, options, outer) => void joined.push([tx === TX, options, outer]),
  });
  const inner = () => transactions.run({}, async () => transactions.current === TX);
  expect(await transactions.run({ relaxed: true }, inner)).toBe(true);
  expect([begun, joined]).toEqual([[{ relaxed: true }], [[true, {}, { relaxed: true }]]]);
  expect(transactions.current).toBeUndefined();
});

test('what is to happen after the commit happens then, and never when there is none', async () => {
  const { transactions } = setUp();
  const order: string[] = [];
  const work = async () => {
    transactions.afterCommit(() => order.push('after'));
    order.push('within');
  };
  await transactions.run({}, work);
  expect(order.splice(0)).toEqual(['within', 'after']);
  const undone = transactions.run({}, async () => {
    await work();
    throw new Error('no');
  });
  await expect(undone).rejects.toThrow('no');
  expect(order.splice(0)).toEqual(['within']);
  await work();
  expect(order).toEqual(['after', 'within']);
});
