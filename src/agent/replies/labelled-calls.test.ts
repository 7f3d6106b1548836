import { expect, test } from 'vitest';
import { labelledCalls, unfenced } from './labelled-calls.ts';

const isTool = (name: string) => ['query_rag', 'write_note'].includes(name);
const call = (input: unknown, certain = true, name = 'write_note') => ({ name, input, certain });
const calls = (...all: readonly ReturnType<typeof call>[]) => ({ calls: all, prose: '', answer: undefined });
const answer = (text: string) => ({ calls: [], prose: '', answer: text });
const milk = { text: 'milk' };
const MILK = '{"text": "milk"}';
const FENCE = '```';

test.each([
  ...['Action', 'Tool', 'Function', 'Tool Call', 'Function Call', 'Tool Name', 'Function Name', 'Tool to use', 'Call'],
])('the name stands behind "%s:", in any case', (label) => {
  const certain = label === 'Action';
  expect(labelledCalls(`${label}: write_note\nInput: ${MILK}`, isTool)).toEqual(calls(call(milk, certain)));
  expect(labelledCalls(`${label.toUpperCase()}: write_note`, isTool)).toEqual(calls(call({}, false)));
});

test.each([
  ...['Action Input', 'Tool Input', 'Function Input', 'Input', 'Arguments', 'Args', 'Parameters', 'Params', 'Argument'],
])('the input stands behind "%s:"', (label) => {
  expect(labelledCalls(`Action: write_note\n${label}: ${MILK}`, isTool)).toEqual(calls(call(milk)));
});

test.each([
  ['a text', 'Action: write_note\nAction Input: buy milk', call('buy milk')],
  ['lines', 'Action: write_note\nAction Input: buy\nmilk', call('buy\nmilk')],
  ['nothing', 'Action: write_note\nAction Input:', call({})],
  ['a fence', `Action: write_note\nAction Input:\n${FENCE}json\n${MILK}\n${FENCE}`, call(milk)],
  ['an input for a tool that is unknown', `Action: launch\nAction Input: ${MILK}`, call(milk, true, 'launch')],
  ['a name in backticks', `Action: \`write_note\`\nAction Input: ${MILK}`, call(milk)],
  ['a name in bold with a full stop', `Action: **write_note**.\nAction Input: ${MILK}`, call(milk)],
  ['a name with a dot in it', 'Action: mail.send\nAction Input: hi', call('hi', true, 'mail.send')],
  ['no input for a tool', 'Action: write_note', call({}, false)],
  ['bold labels', `**Action:** write_note\n**Action Input:** ${MILK}`, call(milk)],
  ['labels that are bold before the colon', `**Action**: write_note\n**Action Input**: ${MILK}`, call(milk)],
  ['a list of labels', `- Action: write_note\n- Action Input: ${MILK}`, call(milk)],
  ['quoted labels', `> Action: write_note\n> Action Input: ${MILK}`, call(milk)],
  ['an input in brackets', 'Action: write_note[buy milk]', call('buy milk')],
  ['JSON in brackets', `Action: write_note[${MILK}]`, call(milk)],
  ['empty brackets', 'Action: write_note[]', call({})],
  ['an input on the same line', `Action: write_note ${MILK}`, call(milk)],
  ['an input of several lines', 'Action: write_note {\n"text":\n"milk"\n}', call(milk)],
  ['blanks before the input on its line', `Action: write_note  ${MILK}`, call(milk)],
  ['a call of a function', 'Action: write_note("milk")', call('milk')],
  ['a call of a function in a fence', `Action:\n${FENCE}python\nwrite_note(text="milk")\n${FENCE}`, call(milk)],
])('an action may have %s', (_name, text, expected) => {
  expect(labelledCalls(text, isTool)).toEqual(calls(expected));
});

test('all actions count, up to what the model makes up as their result', () => {
  const two = `Action: query_rag\nAction Input: {"query": "boat"}\nThought: now note it\nAction: write_note ${MILK}`;
  const both = calls(call({ query: 'boat' }, true, 'query_rag'), call(milk));
  expect(labelledCalls(two, isTool)).toEqual(both);
  expect(labelledCalls(`${two}\nObservation: Noted.\nAction: launch\nFinal Answer: Noted.`, isTool)).toEqual(both);
  expect(labelledCalls(`${two}\nResult: Noted.\nAction: launch`, isTool)).toEqual(both);
  expect(labelledCalls(`${two}\nFinal Answer: Noted.`, isTool)).toEqual(both);
});

test('what stands before the first label is prose', () => {
  expect(labelledCalls(` I note it.\n\nThought: milk\nAction: write_note ${MILK}`, isTool)).toEqual({
    ...calls(call(milk)),
    prose: 'I note it.',
  });
});

test.each([
  ['a final answer', 'Final Answer: It is Friday.', 'It is Friday.'],
  ['lines of one', 'Final Answer:\nIt is Friday.\nRain.', 'It is Friday.\nRain.'],
  ['a final answer after a thought', 'Thought: I know.\nFinal Answer: It is Friday.', 'It is Friday.'],
  ['an answer after a thought', 'Thought: I know.\nAnswer: It is Friday.', 'It is Friday.'],
  ['an answer after thoughts', 'Thoughts: I know.\nFinal: It is Friday.', 'It is Friday.'],
  ['an answer to a question', 'Question: Which day?\nAnswer: It is Friday.', 'It is Friday.'],
  ['an answer after a plan', 'Plan: look\nAnswer: It is Friday.', 'It is Friday.'],
  ['an answer after reasoning', 'Reasoning: easy\nAnswer: It is Friday.', 'It is Friday.'],
  ['the action final_answer', 'Action: final_answer\nAction Input: It is Friday.', 'It is Friday.'],
  ['the action finish', 'Action: Finish\nAction Input: It is Friday.', 'It is Friday.'],
  ['the action respond', 'Thought: hi\nAction: respond\nInput: It is Friday.', 'It is Friday.'],
  ['no action', 'Thought: hi\nAction: None', ''],
  ['no action, and a label that is no input', 'Action: none\nThought: It is Friday.', ''],
])('%s is the answer', (_name, text, expected) => {
  expect(labelledCalls(text, isTool)).toEqual(answer(expected));
});

test.each([
  ['prose', 'The boat is blue.'],
  ['nothing', ''],
  ['an answer without thoughts', 'Answer: It is Friday.'],
  ['a thought alone', 'Thought: I know.'],
  ['an observation alone', 'Observation: it rains\nFinal Answer: It rains.'],
  ['an input alone', `Action Input: ${MILK}`],
  ['a label in the middle of a line', 'The Action: write_note'],
  ['a tool that is unknown, without an input', 'Action: launch'],
  ['a tool that is unknown, in brackets', 'Action: launch[moon]'],
  ['a tool that is unknown, with an input on its line', `Action: launch ${MILK}`],
  ['a tool with words', 'Action: write_note that we need milk'],
  ['words before a tool with brackets', 'Action: use write_note[milk]'],
  ['words behind a tool with brackets', 'Action: write_note[milk] now'],
  ['words before a tool with JSON', `Action: use write_note ${MILK}`],
  ['words behind a tool with JSON', `Action: write_note ${MILK} now`],
  ['words with an input', 'Action: water the plants\nInput: daily'],
  ['words', 'Action: water the plants\nThought: they live'],
  ['a known action and words', `Action: write_note ${MILK}\nAction: water the plants`],
  ['an end after an action', `Action: write_note ${MILK}\nAction: finish`],
])('%s is neither', (_name, text) => {
  expect(labelledCalls(text, isTool)).toBeUndefined();
});

test.each([
  ['a fence', `${FENCE}\n${MILK}\n${FENCE}`, MILK],
  ['a fence with a language', `${FENCE}tool-call\n${MILK}\n${FENCE}\n`, MILK],
  ['tildes', `~~~json\n${MILK}\n~~~`, MILK],
  ['a fence on one line', `${FENCE}json ${MILK}${FENCE}`, MILK],
  ['a fence that is never closed', `  ${FENCE}json\n${MILK}`, MILK],
  ['no fence', ` ${MILK} `, ` ${MILK} `],
  ['a fence after words', `See ${FENCE}x${FENCE}`, `See ${FENCE}x${FENCE}`],
  ['words after a fence', `${FENCE}\nx\n${FENCE}\nsee`, `x\n${FENCE}\nsee`],
])('what is in a fence is read without it: %s', (_name, text, inner) => {
  expect(unfenced(text)).toBe(inner);
});
