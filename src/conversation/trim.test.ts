import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { MessageCounter } from './tokens.ts';
import { trimToFit } from './trim.ts';

const counter = new MessageCounter();
const system = new SystemMessage(`You are Wooster. ${'Rules. '.repeat(400)}`);
const task = new HumanMessage(`Count the sheep. ${'Every one. '.repeat(200)}`);
const call = { id: 'c1', name: 'look', args: { note: 'grass '.repeat(500), field: 1 }, type: 'tool_call' as const };
const asked = new AIMessage({ content: '', tool_calls: [call] });
const result = new ToolMessage({ content: 'sheep '.repeat(2000), tool_call_id: 'c1', name: 'look' });
const whole = [system, task, asked, result];

test('the longest texts are cut first; system prompt and task stay whole while anything else can give', () => {
  const budget = counter.all([system, task]) + 500;
  const [first, second, third, last] = trimToFit(whole, counter, { budget, task });
  expect([first, second]).toEqual([system, task]);
  expect(last).toMatchObject({ tool_call_id: 'c1', name: 'look' });
  expect(last?.text.length).toBeLessThan(result.text.length);
  expect(third).toMatchObject({ tool_calls: [{ id: 'c1', args: { field: 1 } }] });
  expect(counter.all(trimToFit(whole, counter, { budget, task }))).toBeLessThanOrEqual(budget);
});

test('the task is cut when nothing else is left to cut, the system prompt never', () => {
  const [first, second] = trimToFit(whole, counter, { budget: 10, task });
  expect(first).toBe(system);
  expect(second?.text.length).toBeLessThan(task.text.length);
  expect(second?.text).toMatch(/^Count the sheep\./u);
});

test('messages that fit are returned as they are', () => {
  expect(trimToFit(whole, counter, { budget: 1_000_000, task })).toEqual(whole);
});

test('texts are cut to three quarters again and again, to 200 characters at least', () => {
  const long = new HumanMessage('x'.repeat(1000));
  const [cut] = trimToFit([long], counter, { budget: 0, task: undefined });
  expect(cut?.text).toBe(`${'x'.repeat(140)}\n… 800 characters left out …\n${'x'.repeat(60)}`);
  const [once] = trimToFit([long], counter, { budget: 220, task: undefined });
  expect(once?.text).toContain('… 250 characters left out …');
  const short = new HumanMessage('x'.repeat(200));
  expect(trimToFit([short], counter, { budget: 0, task: undefined })).toEqual([short]);
  expect(trimToFit([], counter, { budget: 0, task: undefined })).toEqual([]);
});

test('a cut reply keeps its calls with their other values, and a result without a name has none', () => {
  const said = new AIMessage({
    content: 'x'.repeat(900),
    tool_calls: [{ ...call, args: { a: 'short', b: [1], c: null } }],
  });
  const nameless = new ToolMessage({ content: 'x'.repeat(900), tool_call_id: 'c2' });
  const [reply, cut] = trimToFit([said, nameless], counter, { budget: 0, task: undefined });
  expect(reply).toMatchObject({ tool_calls: [{ id: 'c1', name: 'look', args: { a: 'short', b: [1], c: null } }] });
  expect(reply?.text.length).toBeLessThan(300);
  expect([cut?.name, (cut as ToolMessage).tool_call_id]).toEqual([undefined, 'c2']);
});
