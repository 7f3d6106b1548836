import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readExamples, taught } from '../base/examples.ts';
import { testContext, testTurn } from '../testing/agent.ts';
import { openCommands } from '../testing/commands.ts';
import { FACTS } from '../testing/memory-facts.ts';
import { mainClause } from './main-clause.ts';
import { recognizeIntent } from './recognize.ts';

const GERMAN = /^(?:ich|mein|meine|unser) /u;
const PER_CONVERSATION = 3;

test('sixty facts told over twenty conversations answer sixty questions asked later', async () => {
  const { app, say } = await openCommands();
  for (const [at, [fact]] of FACTS.entries()) {
    const told = GERMAN.test(fact) ? `Merk dir bitte: ${fact}` : `Please remember that ${fact}.`;
    const { text } = await say(told, `conv_${Math.floor(at / PER_CONVERSATION)}`);
    expect(text).toContain(fact);
  }
  expect(await app.knowledge.memory.facts('home')).toHaveLength(FACTS.length);
  const wrong: string[] = [];
  for (const [at, [, question, right]] of FACTS.entries()) {
    const { text } = await say(question, `later_${at}`);
    if (!right.test(text)) wrong.push(`${question} -> ${text.slice(0, 120)}`);
  }
  expect(1 - wrong.length / FACTS.length, wrong.join('\n')).toBeGreaterThanOrEqual(0.85);
}, 120_000);

describe('what the owner told is used', () => {
  test.each(['classic_tools', 'code_agent'] as const)(
    'in %s: for answers, for the time, and taken back',
    async (mode) => {
      const { app } = await openCommands({ config: { timeZone: 'Asia/Tokyo' } });
      const ask = async (text: string) => {
        const context = testContext({ now: () => new Date('2026-11-20T10:25:00Z') });
        const turn = testTurn(text, { conversationId: `conv_${text}`, mode, id: `turn_${mode}_${text}` });
        return (await app.turns.run(turn, { ...context, timeZone: 'Asia/Tokyo' })).text;
      };
      expect(await ask('remember that I live in Galway')).toBe('I will remember: I live in Galway');
      expect(await ask('where do I live?')).toBe('You told me: I live in Galway.');
      expect(await ask('Wo wohne ich?')).toBe('Du hast mir gesagt: I live in Galway.');
      expect(await ask('what time is it at home?')).toContain('In Galway it is ');
      expect(await ask('what time is it?')).toMatch(/^It is [\s\S]*\nIn Galway it is /u);
      expect(await ask('what do you know about me?')).toContain('- I live in Galway');
      expect(await ask('merk dir, dass ich in Köln wohne')).toBe(
        'Gemerkt: ich wohne in Köln (statt: I live in Galway)',
      );
      expect(await ask('vergiss, dass ich in Köln wohne')).toBe('Vergessen: ich wohne in Köln');
      expect(await ask('was weißt du über mich?')).toContain('Noch nichts');
    },
  );
});

test.each([
  ['ich in Köln wohne', 'ich wohne in Köln'],
  ['mein Hund Bello heißt', 'mein Hund heißt Bello'],
  ['meine kleine Schwester in Bonn lebt', 'meine kleine Schwester lebt in Bonn'],
  ['mein Nachbar Herr Brandt einen Schlüssel hat', 'mein Nachbar Herr Brandt hat einen Schlüssel'],
  ['mein Chef Herr Lindqvist ist', 'mein Chef ist Herr Lindqvist'],
  ['ich am 3. Mai geboren bin', 'ich bin am 3. Mai geboren'],
  ['heute frei ist', 'heute frei ist'],
])('"%s" as a sentence of its own: %s', (clause, sentence) => {
  expect(mainClause(clause)).toBe(sentence);
});

describe('the weather is asked for where the owner lives', () => {
  const NOW = new Date('2026-11-20T10:25:00Z');
  const FORECAST = {
    ...{ place: 'Galway, Ireland', units: '°C, km/h, mm', now: { sky: 'overcast', temperature: 10 } },
    days: ['2026-11-20', '2026-11-21'].map((date) => ({ date, sky: 'rain', low: 8, high: 12, rainChancePercent: 40 })),
  };
  const path = resolve(import.meta.dirname, '../../plugins/weather/examples.jsonl');
  const examples = readExamples(readFileSync(path, 'utf8'), path).flatMap((each) => taught(each));
  const asked = (text: string) => {
    const facts = ['my dog is called Bramble', 'I live in Galway with my wife'];
    const can = (tool: string) => tool === 'weather';
    const raw = { text, facts, now: NOW, timeZone: 'UTC', can, earlier: [], examples };
    const intent = recognizeIntent(raw);
    const [action] = intent.kind === 'act' ? intent.actions : [];
    const result = { ok: true, text: '', value: FORECAST, input: {} };
    return { input: action?.input, said: action?.say(result) };
  };

  test.each([
    ["what's the weather?", { place: 'Galway', days: 1 }],
    ['what will the weather be like tomorrow', { place: 'Galway', days: 2 }],
    ['will it rain here on Monday?', { place: 'Galway', days: 4 }],
    ['Wie wird das Wetter morgen?', { place: 'Galway', days: 2 }],
    ['Brauche ich einen Schirm?', { place: 'Galway', days: 1 }],
    ['wie ist das Wetter in Köln', { place: 'Köln', days: 1 }],
    ["what's the weather in Oslo tomorrow", { place: 'Oslo', days: 2 }],
    ['weather forecast for this week', { place: 'Galway', days: 7 }],
  ])('%s', (text, input) => expect(asked(text).input).toEqual(input));

  test('and told in words', () => {
    expect(asked("what's the weather?").said).toBe(
      'Galway, Ireland, now overcast, 10 °C:\n- Friday 20 November 2026: rain, 8 to 12 °C, 40 % chance of rain',
    );
    expect(asked('Wie wird das Wetter morgen?').said).toBe(
      'Galway, Ireland:\n- Samstag, 21. November 2026: rain, 8 bis 12 °C, 40 % Regenwahrscheinlichkeit',
    );
  });
});
