import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MODES, type Mode } from '../base/turn.ts';
import { testContext, testTurn } from '../testing/agent.ts';
import { openCommands } from '../testing/commands.ts';
import { HELD_OUT } from '../testing/everyday/held-out.ts';
import { EVERYDAY } from '../testing/everyday/requests.ts';
import type { Row } from '../testing/everyday/row.ts';

/** A Friday in Berlin, 11:25. */
const NOW = new Date('2026-11-20T10:25:00Z');

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterEach(() => void vi.useRealTimers());

/** Each request in a project of its own, through the program: the real turn, tools, gate and store. */
async function program(mode: Mode) {
  const { app } = await openCommands({ config: { timeZone: 'Europe/Berlin' } });
  let count = 0;
  return async ({ said, before }: Row) => {
    const project = `day${++count}`;
    app.knowledge.projects.create(project);
    const tools: string[] = [];
    let answer = '';
    for (const [index, text] of [...before, said].entries()) {
      const context = testContext({ now: () => new Date() });
      const turn = testTurn(text, { id: `turn_${count}_${index}`, conversationId: `conv_${count}`, project, mode });
      answer = (await app.turns.run(turn, context)).text;
      tools.splice(0, tools.length, ...context.events.flatMap((event) => (event.type === 'tool' ? [event.name] : [])));
    }
    return { answer, tools };
  };
}

async function wrongOf(table: readonly Row[], mode: Mode): Promise<string[]> {
  const ask = await program(mode);
  const wrong: string[] = [];
  for (const row of table) {
    const { answer, tools } = await ask(row);
    const called = row.tool === undefined ? tools.length === 0 : tools.includes(row.tool);
    if (!called || !row.answer.test(answer))
      wrong.push(`${row.said}\n   [${tools.join(', ')}] ${answer.slice(0, 200)}`);
  }
  return wrong;
}

/** Both modes call the same tools and say the same about them; scripts take longer, so they get every fourth request. */
const some = (table: readonly Row[], mode: Mode) => table.filter((_, at) => mode === 'classic_tools' || at % 4 === 0);

test.each(MODES)(
  'everyday requests are answered right, in %s',
  async (mode) => {
    expect(EVERYDAY.length).toBeGreaterThanOrEqual(150);
    expect(await wrongOf(some(EVERYDAY, mode), mode)).toEqual([]);
  },
  600_000,
);

test.each(MODES)(
  'in %s, of a hundred requests held out at least 85 are',
  async (mode) => {
    const table = some(HELD_OUT, mode);
    const wrong = await wrongOf(table, mode);
    expect(wrong.length / table.length, wrong.join('\n')).toBeLessThanOrEqual(0.15);
  },
  600_000,
);
