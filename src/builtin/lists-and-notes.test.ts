import { expect, test, vi } from 'vitest';
import { MODES, type Mode } from '../base/turn.ts';
import { testContext, testTurn } from '../testing/agent.ts';
import { openCommands } from '../testing/commands.ts';

/** A whole program without a model, and one conversation with it. */
async function conversation(mode: Mode) {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-24T10:00:00Z') });
  const { app } = await openCommands({ config: { timeZone: 'Europe/Oslo' } });
  let count = 0;
  return async (text: string) => {
    count += 1;
    const turn = testTurn(text, { id: `turn_${count}`, conversationId: 'conv_1', mode });
    return (await app.turns.run(turn, testContext({ now: () => new Date() }))).text;
  };
}

test.each(MODES)('a list that is talked about need not be named again, in %s', async (mode) => {
  const say = await conversation(mode);
  expect(await say('add milk and eggs to my shopping list')).toBe('Added to your shopping list: milk and eggs.');
  expect(await say('start a packing list for Lisbon: passport, sun cream')).toBe(
    'Added to your packing list: passport and sun cream.',
  );
  expect(await say('and a scarf')).toBe('Added to your packing list: a scarf.');
  expect(await say('take the sun cream off it again')).toBe('Removed from your packing list: sun cream.');
  expect(await say("what's on it now?")).toBe('Your packing list:\n- passport\n- a scarf');
  expect(await say('I bought the eggs')).toContain('eggs');
  expect(await say('is milk on my shopping list?')).toBe('Yes, milk is on your shopping list.');
  expect(await say('which lists do I have?')).toContain('- packing list (2 open)');
});

test.each(MODES)('lists in German, in %s', async (mode) => {
  const say = await conversation(mode);
  expect(await say('Setz bitte Milch und Eier auf die Einkaufsliste')).toBe('Auf der Einkaufsliste: Milch und Eier.');
  expect(await say('und noch Brot')).toBe('Auf der Einkaufsliste: Brot.');
  expect(await say('hak die Eier ab')).toBe('Abgehakt auf der Einkaufsliste: Eier.');
  expect(await say('was muss ich noch einkaufen?')).toBe('Deine Einkaufsliste:\n- Milch\n- Brot\nAbgehakt: Eier');
  expect(await say('leer die Einkaufsliste')).toContain('Milch');
  expect(await say('was steht auf der Einkaufsliste?')).toBe('Die Einkaufsliste ist leer.');
});

test.each(MODES)('what is only perhaps wanted is asked about, in %s', async (mode) => {
  const say = await conversation(mode);
  expect(await say('I need a break')).not.toContain('Added');
  expect(await say('we need cat litter')).toBe('Shall I put cat litter on your shopping list?');
  expect(await say('yes please')).toBe('Added to your shopping list: cat litter.');
  expect(await say('make a hiking list')).toBe('What should I put on your hiking list?');
  expect(await say('stick a torch on it')).toBe('Added to your hiking list: a torch.');
  expect(await say('take a note')).toBe('What should I note?');
  expect(await say('buy milk')).toBe('Noted: buy milk');
  expect(await say('put that on my to-do list')).toBe('Added to your to-do list: buy milk.');
});

test.each(MODES)('a note that is talked about is the one that goes, in %s', async (mode) => {
  const say = await conversation(mode);
  await say('note: the gate squeaks');
  await say('jot down that the boiler was serviced today');
  expect(await say('what did I note about the gate?')).toMatch(/^Your notes:\n- 2026-11-24 11:00 the gate squeaks$/u);
  expect(await say('delete that note')).toBe('Deleted the note: the gate squeaks');
  expect(await say('show my notes')).toMatch(/^Your notes:\n- .*the boiler was serviced today$/u);
  expect(await say('ändere die Notiz über den Boiler in: alles in Ordnung')).toContain('gelöscht');
  expect(await say('what did I note yesterday?')).toBe('There are no notes of that time.');
  const long = 'The orchard was quiet, and so it went on. '.repeat(60).trim();
  expect(await say(`note: ${long}`)).toBe(`Noted: ${long.replace(/\.$/u, '')}`);
});
