import { z } from 'zod';
import { defineTool, type Tool } from '../tools/tool.ts';
import { PLAIN_TOOL } from './tools.ts';

/** A reply of a weak model, and what becomes of it. */
export interface Slip {
  readonly name: string;
  readonly reply: string;
  /** The calls that it makes, as `tool {"input": …}`; empty where it goes back to the model instead. */
  readonly calls: readonly string[];
  /** The answer that it is, where it is one in a frame. */
  readonly answer?: string;
}

/** The tools of the slips: the names and inputs of real ones, and a list of the calls that reached them. */
export function slipTools(): { readonly tools: readonly Tool[]; readonly calls: string[] } {
  const calls: string[] = [];
  const note = (name: string, input: unknown) => calls.push(`${name} ${JSON.stringify(input)}`);
  const write = defineTool({
    ...PLAIN_TOOL,
    name: 'write_note',
    positional: ['text'],
    aliases: { text: ['note', 'content', 'body', 'message', 'description'] },
    input: z.object({ text: z.string().trim().min(1) }),
    output: z.string(),
    policy: { ...PLAIN_TOOL.policy, effect: 'local', change: 'append' },
    execute: (input) => {
      note('write_note', input);
      return 'Noted in home.md.';
    },
  });
  const query = defineTool({
    ...PLAIN_TOOL,
    name: 'query_rag',
    functionName: 'queryRAG',
    positional: ['query', 'k'],
    aliases: { query: ['question', 'text', 'q'], k: ['limit', 'top_k'] },
    input: z.object({ query: z.string().min(1), k: z.int().min(1).max(20).optional() }),
    output: z.object({ answer: z.string(), passages: z.array(z.object({ text: z.string(), citation: z.string() })) }),
    execute: (input) => {
      note('query_rag', input);
      return { answer: 'On Friday.', passages: [{ text: 'The boat comes on Friday.', citation: '[boat.md:3]' }] };
    },
  });
  const schedule = defineTool({
    ...PLAIN_TOOL,
    name: 'schedule',
    positional: ['when', 'text'],
    aliases: { when: ['time', 'at', 'date'], text: ['prompt', 'message', 'what'] },
    input: z.object({ when: z.union([z.string().min(1), z.number()]), text: z.string().min(1) }),
    output: z.object({ id: z.string(), next: z.string() }),
    policy: { ...PLAIN_TOOL.policy, effect: 'local', change: 'schedule' },
    execute: (input) => {
      note('schedule', input);
      return { id: 'job_1', next: '2026-01-16T08:00:00.000Z' };
    },
  });
  const read = defineTool({
    ...PLAIN_TOOL,
    name: 'read_file',
    positional: ['path', 'offset'],
    aliases: { path: ['file', 'filename'] },
    input: z.object({ path: z.string().min(1), offset: z.int().min(1).optional() }),
    output: z.string(),
    execute: (input) => {
      note('read_file', input);
      return 'Berths: 4';
    },
  });
  const time = defineTool({
    ...PLAIN_TOOL,
    name: 'current_time',
    execute: () => {
      note('current_time', {});
      return '09:00';
    },
  });
  return { tools: [write, query, schedule, read, time], calls };
}

export const FENCE = '```';
const MILK = 'write_note {"text":"buy milk"}';
const BOAT = 'query_rag {"query":"boat"}';
const DENTIST = 'schedule {"when":"tomorrow 8am","text":"dentist"}';
export const NOTE = '{"name": "write_note", "arguments": {"text": "buy milk"}}';
export const SEARCH = '{"name": "query_rag", "arguments": {"query": "boat"}}';

const slip = (name: string, reply: string, ...calls: string[]): Slip => ({ name, reply, calls });

/** Shapes that mean the same in both modes. */
export const SLIPS: readonly Slip[] = [
  slip('name and arguments', NOTE, MILK),
  slip('arguments as JSON in a string', '{"name": "write_note", "arguments": "{\\"text\\": \\"buy milk\\"}"}', MILK),
  slip('name and parameters', '{"name": "write_note", "parameters": {"text": "buy milk"}}', MILK),
  slip('tool and input', '{"tool": "write_note", "input": {"text": "buy milk"}}', MILK),
  slip('tool and a bare text', '{"tool": "write_note", "input": "buy milk"}', MILK),
  slip('tool_name and tool_input', '{"tool_name": "query_rag", "tool_input": {"query": "boat"}}', BOAT),
  slip('action and action_input', '{"action": "query_rag", "action_input": {"query": "boat"}}', BOAT),
  slip('action and one text', '{"action": "query_rag", "action_input": "boat"}', BOAT),
  slip('function with name inside', '{"function": {"name": "query_rag", "arguments": {"query": "boat"}}}', BOAT),
  slip('function_call', '{"function_call": {"name": "query_rag", "arguments": "{\\"query\\": \\"boat\\"}"}}', BOAT),
  slip(
    "OpenAI's tool_calls",
    '{"tool_calls": [{"id": "1", "function": {"name": "query_rag", "arguments": "{\\"query\\": \\"boat\\"}"}}]}',
    BOAT,
  ),
  slip(
    'tool_uses',
    '{"tool_uses": [{"recipient_name": "functions.query_rag", "parameters": {"query": "boat"}}]}',
    BOAT,
  ),
  slip('a type beside it', '{"type": "function", "name": "query_rag", "parameters": {"query": "boat"}}', BOAT),
  slip('a thought beside it', `{"thought": "I must search.", "tool": "query_rag", "args": {"query": "boat"}}`, BOAT),
  slip('the tool as the key', '{"write_note": {"text": "buy milk"}}', MILK),
  slip('arguments at the top', '{"tool": "query_rag", "query": "boat"}', BOAT),
  slip('a list of one', `[${SEARCH}]`, BOAT),
  slip('a list of two', `[${SEARCH}, ${NOTE}]`, BOAT, MILK),
  slip('two, one below the other', `${SEARCH}\n${NOTE}`, BOAT, MILK),
  slip('no arguments', '{"name": "current_time", "arguments": {}}', 'current_time {}'),
  slip('no arguments at all', '{"name": "current_time"}', 'current_time {}'),
  slip('a json fence', `${FENCE}json\n${NOTE}\n${FENCE}`, MILK),
  slip('a plain fence', `${FENCE}\n${NOTE}\n${FENCE}`, MILK),
  slip('a tool_call fence', `${FENCE}tool_call\n${NOTE}\n${FENCE}`, MILK),
  slip('two fences', `${FENCE}json\n${SEARCH}\n${FENCE}\n${FENCE}json\n${NOTE}\n${FENCE}`, BOAT, MILK),
  slip('a fence that is never closed', `${FENCE}json\n${NOTE}`, MILK),
  slip('a tool_call tag', `<tool_call>\n${NOTE}\n</tool_call>`, MILK),
  slip('a tool_call tag that is never closed', `<tool_call>\n${NOTE}`, MILK),
  slip('two tool_call tags', `<tool_call>${SEARCH}</tool_call>\n<tool_call>${NOTE}</tool_call>`, BOAT, MILK),
  slip('a function_call tag', `<function_call>${NOTE}</function_call>`, MILK),
  slip('a tool tag around a fence', `<tool_call>\n${FENCE}json\n${NOTE}\n${FENCE}\n</tool_call>`, MILK),
  slip("Llama's function tag", '<function=write_note>{"text": "buy milk"}</function>', MILK),
  slip("Llama's python_tag", `<|python_tag|>${NOTE}`, MILK),
  slip(
    "Qwen coder's parameters",
    '<tool_call>\n<function=write_note>\n<parameter=text>\nbuy milk\n</parameter>\n</function>\n</tool_call>',
    MILK,
  ),
  slip(
    "Anthropic's invoke",
    '<function_calls><invoke name="write_note">\n<parameter name="text">buy milk</parameter>\n</invoke></function_calls>',
    MILK,
  ),
  slip(
    'name and arguments in tags',
    '<tool_call><name>write_note</name><arguments>{"text": "buy milk"}</arguments></tool_call>',
    MILK,
  ),
  slip("Mistral's list", `[TOOL_CALLS] [${NOTE}]`, MILK),
  slip("Mistral's name and arguments", '[TOOL_CALLS]write_note[ARGS]{"text": "buy milk"}', MILK),
  slip('functools', `functools[${NOTE}]`, MILK),
  slip(
    "gpt-oss's channel",
    '<|channel|>commentary to=functions.write_note <|constrain|>json<|message|>{"text": "buy milk"}<|call|>',
    MILK,
  ),
  slip(
    "DeepSeek's separators",
    [
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>write_note',
      `${FENCE}json\n{"text": "buy milk"}\n${FENCE}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    ].join('\n'),
    MILK,
  ),
  slip('thinking before it', `<think>I should note it.</think>\n${NOTE}`, MILK),
  slip('thinking without its opening tag', `I should note it.</think>\n${NOTE}`, MILK),
  slip('thinking that holds a call', `<think>${SEARCH}</think>\n${NOTE}`, MILK),
  slip('a line before it', `I'll note that for you.\n${NOTE}`, MILK),
  slip('a line before it on the same line', `Sure, I will save it: ${NOTE}`, MILK),
  slip('a line before a fence', `Let me search your notes.\n\n${FENCE}json\n${SEARCH}\n${FENCE}`, BOAT),
  slip('a line after it', `${NOTE}\nI have saved it.`, MILK),
  slip('a heading', `Tool call:\n${NOTE}`, MILK),
  slip('German before it', `Ich notiere das: ${NOTE}`, MILK),
  slip('Action and Action Input', 'Action: write_note\nAction Input: {"text": "buy milk"}', MILK),
  slip('Thought before it', 'Thought: I need to search.\nAction: query_rag\nAction Input: {"query": "boat"}', BOAT),
  slip('one text as Action Input', 'Thought: hm\nAction: query_rag\nAction Input: boat', BOAT),
  slip(
    'Action Input in a fence',
    `Action: write_note\nAction Input:\n${FENCE}json\n{"text": "buy milk"}\n${FENCE}`,
    MILK,
  ),
  slip(
    'an observation made up behind it',
    'Action: query_rag\nAction Input: {"query": "boat"}\nObservation: It sank.\nFinal Answer: It sank.',
    BOAT,
  ),
  slip(
    'two actions',
    'Action: query_rag\nAction Input: {"query": "boat"}\nAction: write_note\nAction Input: {"text": "buy milk"}',
    BOAT,
    MILK,
  ),
  slip('Tool and Input', 'Tool: write_note\nInput: {"text": "buy milk"}', MILK),
  slip('bold labels', '**Action:** write_note\n**Action Input:** {"text": "buy milk"}', MILK),
  slip('the name before JSON', 'write_note {"text": "buy milk"}', MILK),
  slip('the name and a colon', 'write_note: {"text": "buy milk"}', MILK),
  slip('words of the name in another order', '{"name": "rag_query", "arguments": {"query": "boat"}}', BOAT),
  slip('the name in the plural', '{"name": "write_notes", "arguments": {"text": "buy milk"}}', MILK),
  slip('the name in camel case', '{"name": "queryRag", "arguments": {"query": "boat"}}', BOAT),
  slip('a synonym', '{"name": "set_reminder", "arguments": {"when": "tomorrow 8am", "text": "dentist"}}', DENTIST),
  slip('a prefix', '{"name": "functions.write_note", "arguments": {"text": "buy milk"}}', MILK),
  slip('one letter off', '{"name": "shedule", "arguments": {"when": "tomorrow 8am", "text": "dentist"}}', DENTIST),
  slip('an alias of a field', '{"name": "write_note", "arguments": {"note": "buy milk"}}', MILK),
  slip(
    'a near name of a field',
    '{"name": "read_file", "arguments": {"file_path": "a.md"}}',
    'read_file {"path":"a.md"}',
  ),
  slip('the one field under another name', '{"name": "query_rag", "arguments": {"search_term": "boat"}}', BOAT),
  slip(
    'a number as text',
    '{"name": "query_rag", "arguments": {"query": "boat", "k": "3"}}',
    'query_rag {"query":"boat","k":3}',
  ),
  slip('null for a field', '{"name": "query_rag", "arguments": {"query": "boat", "k": null}}', BOAT),
  slip(
    'zero where counting starts at one',
    '{"name": "read_file", "arguments": {"path": "a.md", "offset": 0}}',
    'read_file {"path":"a.md","offset":1}',
  ),
  slip(
    'fields that do not exist',
    '{"name": "write_note", "arguments": {"text": "buy milk", "priority": "high"}}',
    MILK,
  ),
  slip('single quotes', "{'name': 'write_note', 'arguments': {'text': 'buy milk'}}", MILK),
  slip('a comma too many', '{"name": "write_note", "arguments": {"text": "buy milk",},}', MILK),
  slip('keys without quotes', '{name: "write_note", arguments: {text: "buy milk"}}', MILK),
  slip("Python's words", '{"name": "query_rag", "arguments": {"query": "boat", "k": None}}', BOAT),
  slip(
    'a raw line break',
    '{"name": "write_note", "arguments": {"text": "buy\nmilk"}}',
    'write_note {"text":"buy\\nmilk"}',
  ),
  slip(
    'quotes that were not escaped',
    '{"name": "write_note", "arguments": {"text": "buy "good" milk"}}',
    'write_note {"text":"buy \\"good\\" milk"}',
  ),
  slip('arguments in a wrapper', '{"name": "write_note", "arguments": {"input": {"text": "buy milk"}}}', MILK),
  slip('the same call twice', `${NOTE}\n${NOTE}`, MILK),
  slip('nothing', ' '),
  slip('only thinking', '<think>The person wants a note.</think>'),
  slip('thinking that never ends', '<think>The person wants a note. So I'),
  slip('an unknown tool', '{"name": "launch_rocket", "arguments": {"to": "moon"}}'),
  slip('a call that breaks off', '{"name": "write_note", "arguments": {"text": "buy'),
  slip('a named tag that breaks off', '<function=write_note>{"text": "buy'),
  slip('a parameter that breaks off', '<invoke name="write_note"><parameter name="text">buy'),
  slip('an action that breaks off', 'Action: write_note\nAction Input: {"text": "buy'),
  slip('a tag that breaks off', '<tool_call>{"name": "write_note", "arguments": {"te'),
  slip('words that may mean it or not', `The person wants a note.\n${NOTE}`),
  slip('an object', '[object Object]'),
  slip('no number', 'The total is NaN.'),
  slip('nothing defined', 'undefined'),
  slip('null', 'null'),
  slip('a claim', 'I have saved the note.'),
  slip('a reminder claimed', 'Done! Your reminder is set for tomorrow.'),
  {
    name: 'a final answer in a frame',
    reply: 'Thought: I know.\nFinal Answer: It is Friday.',
    calls: [],
    answer: 'It is Friday.',
  },
  {
    name: 'a final answer as a call',
    reply: '{"name": "final_answer", "arguments": {"answer": "It is Friday."}}',
    calls: [],
    answer: 'It is Friday.',
  },
  {
    name: 'thinking before an answer',
    reply: '<think>Friday.</think>It is Friday.',
    calls: [],
    answer: 'It is Friday.',
  },
];
