import { expect, test } from 'vitest';
import { Tape } from './tape.ts';

test('answers lie in the order of their questions, whichever came first; a question that failed leaves none', async () => {
  const tape = Tape.record();
  const waiting = new Map<string, PromiseWithResolvers<string>>();
  const ask = (text: string) => {
    const answer = Promise.withResolvers<string>();
    waiting.set(text, answer);
    return tape.answer({ text }, () => answer.promise);
  };
  const all = ['a', 'b', 'c', 'd'].map(ask);
  waiting.get('d')?.resolve('D');
  await all[3];
  waiting.get('b')?.reject(new Error('no'));
  await expect(all[1]).rejects.toThrow('no');
  for (const name of ['a', 'c']) waiting.get(name)?.resolve(name.toUpperCase());
  await Promise.all([all[0], all[2]]);
  const played = Tape.play(tape.toString());
  const said = [];
  for (const text of ['a', 'c', 'd']) said.push(await played.answer({ text }, async () => 'asked again'));
  expect(said).toEqual(['A', 'C', 'D']);
});

test('what is played is in order, but for what an agent may have asked', async () => {
  const tape = Tape.record();
  const ask = (text: string, isAgent = false, meanwhile?: () => Promise<unknown>) =>
    tape.answer({ text, isAgent }, async () => {
      await meanwhile?.();
      return text;
    });
  await ask('agent', true, () => ask('by its tool'));
  await ask('one');
  await ask('two');
  const play = async (...texts: string[]) => {
    const played = Tape.play(tape.toString());
    for (const text of texts) expect(await played.answer({ text }, async () => 'asked')).toBe(text);
  };
  await play('agent', 'one', 'two');
  await play('agent', 'by its tool', 'one');
  await expect(play('agent', 'two')).rejects.toThrow('Answer 2 of the snapshot is for another request: "one"');
  await expect(play('one')).rejects.toThrow('another request: "agent"');
  await expect(play('agent', 'one', 'two', 'three')).rejects.toThrow('no answer 4');
});

test.each(['', '[]', '{"version":1,"entries":[null]}', '{"version":1,"entries":[{"request":{}}]}'])(
  '%j is no snapshot',
  (text) => expect(() => Tape.play(text)).toThrow('cannot be read'),
);
