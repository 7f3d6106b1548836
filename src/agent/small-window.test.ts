import { expect, onTestFinished, test } from 'vitest';
import { estimateTokens } from '../base/text.ts';
import { type Mode, NOBODY_TO_ASK } from '../base/turn.ts';
import { openApp } from '../testing/app.ts';
import { type ChatRequest, FaultServer, ok } from '../testing/fault-server.ts';

/** What a model of 4B is given; the reply has to fit as well. */
const WINDOW_TOKENS = 8192;
const PROMPT_TOKENS = 8000;
const PLUGINS = ['tasks', 'bookmarks', 'contacts', 'habits', 'calendar', 'system-info', 'weather'];
const QUESTION = 'Tell me what is left of the garden plan, and what the neighbours said about it. '.repeat(12);
const ANSWER = 'The hedge, the two apple trees and the bed beside the shed are left. '.repeat(12);

/** What a server sees of a request, in the order in which a chat template writes it. */
const sent = ({ body }: ChatRequest) => {
  const [system, ...messages] = body.messages as readonly { readonly content: unknown }[];
  return { standing: JSON.stringify([system, body.tools ?? []]), messages: messages.map((each) => JSON.stringify(each)) };
};
const tokensOf = ({ body }: ChatRequest) => estimateTokens(JSON.stringify([body.messages, body.tools ?? []]));

test.each<Mode>(['classic_tools', 'code_agent'])(
  'with every plugin on, a long conversation fits a small window, and its beginning stays the same (%s)',
  { timeout: 60_000 },
  async (mode) => {
    const server = new FaultServer();
    await server.start();
    onTestFinished(() => server.stop());
    server.play(ok(ANSWER));
    let minute = 0;
    const now = () => new Date(Date.UTC(2026, 0, 15, 9, minute));
    const { app } = await openApp({
      env: { OPENAI_BASE_URL: server.url, OPENAI_MODEL_NAME: 'tiny-4b', ROUTING_LOCAL_ENABLED: 'false' },
      config: { plugins: Object.fromEntries(PLUGINS.map((name) => [name, { enabled: true }])) },
    });
    const [model] = await app.models.candidates();
    expect(model?.contextWindow).toBe(WINDOW_TOKENS);
    for (let turn = 0; turn < 8; turn += 1) {
      const about = { id: `turn_${turn}`, conversationId: 'c', text: `${turn}: ${QUESTION}`, origin: 'cli', mode } as const;
      const signal = new AbortController().signal;
      const context = { signal, now, timeZone: 'UTC', show: () => {}, approve: async () => NOBODY_TO_ASK };
      await app.turns.run({ ...about, project: 'home' }, context);
      minute += 1;
    }
    const asked = server.requests;
    expect(asked.map(tokensOf).filter((tokens) => tokens > PROMPT_TOKENS)).toEqual([]);
    // The second turn reads only what is new: its request, and behind that the day.
    const [first, second] = asked.map(sent);
    expect(second?.standing).toBe(first?.standing);
    expect(new Set(asked.slice(0, 4).map((request) => sent(request).standing)).size).toBe(1);
    expect(second?.messages.slice(0, -1).length).toBeGreaterThan(0);
    expect(sent(asked[2] as ChatRequest).messages.slice(0, 2)).toEqual(second?.messages.slice(0, 2));
  },
);
