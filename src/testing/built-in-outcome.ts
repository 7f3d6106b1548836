import { loadUnits } from '../models/builtin/measure.ts';
import { recognizeIntent } from '../models/builtin/recognize.ts';
import type { PriorMessage } from '../models/builtin/request.ts';

/** A Sunday, 16:00. */
const NOW = new Date('2026-11-22T16:00:00Z');
const units = await loadUnits();

/** What the built-in model makes of a request, with all tools but those of plugins. */
export function intent(text: string, earlier: readonly PriorMessage[] = []) {
  const can = (tool: string) => tool !== 'search_memory';
  const found = recognizeIntent({ text, now: NOW, timeZone: 'UTC', can, earlier, units });
  if (found.kind === 'needs units') throw new Error('the units are there');
  return found;
}
/** Earlier requests, each of them done. */
export const said = (...texts: string[]): PriorMessage[] =>
  texts.flatMap((text) => [
    { by: 'person' as const, text },
    { by: 'assistant' as const, text: 'Done.' },
  ]);

/** The one call, or what is said. */
export function outcome(text: string, earlier: readonly PriorMessage[] = []): unknown {
  const found = intent(text, earlier);
  return found.kind === 'act' ? found.actions.map(({ tool, input }) => [tool, input]) : found.text;
}

/** The one call of the lists' tool. */
export const list = (input: unknown) => [['change_list', input]];

/** What is said when each call of the request has answered so. */
export function told(text: string, ...values: readonly unknown[]): string {
  const found = intent(text);
  if (found.kind !== 'act') throw new Error(`no call: ${found.text}`);
  const results = found.actions.map(({ input }, at) => ({
    ok: true,
    text: String(values[at]),
    value: values[at],
    input,
  }));
  return found.together?.(results) ?? found.actions.map(({ say }, at) => results[at] && say(results[at])).join('\n');
}

/** What comes of the request once our question about it is answered. */
export function answered(text: string, answer: string, earlier: readonly PriorMessage[] = []): unknown {
  const asked = intent(text, earlier);
  if (asked.kind !== 'ask') throw new Error('not asked back');
  return outcome(answer, [...earlier, { by: 'person', text }, { by: 'assistant', text: asked.text }]);
}
