import { expect, test } from 'vitest';
import { callsInFunctions } from './function-calls.ts';

const isTool = (name: string) => ['query_rag', 'write_note', 'fetchText', 'mail.send'].includes(name);
const call = (name: string, input: unknown) => ({ name, input, certain: true });

test.each([
  ['one text', 'query_rag("boat")', 'boat'],
  ['single quotes', "query_rag('boat')", 'boat'],
  ['a number', 'query_rag(3)', 3],
  ['an object', 'query_rag({"query": "boat"})', { query: 'boat' }],
  ['an object as JavaScript writes it', "query_rag({ query: 'boat', k: 3 })", { query: 'boat', k: 3 }],
  ['a list', 'query_rag(["boat", "sea"])', ['boat', 'sea']],
  ['nothing', 'query_rag()', {}],
  ['nothing but blanks', 'query_rag(  )', {}],
  ['two in order', 'query_rag("boat", 3)', ['boat', 3]],
  ['two with no blank between', 'query_rag("boat",3)', ['boat', 3]],
  ['one by name', 'query_rag(query="boat")', { query: 'boat' }],
  ['two by name', 'query_rag(query = "boat", k=3)', { query: 'boat', k: 3 }],
  ['names on lines of their own', 'query_rag(\n  query="boat",\n  k=3,\n)', { query: 'boat', k: 3 }],
  ['a comma too many', 'query_rag("boat" , )', 'boat'],
  ["Python's words", 'query_rag(query="boat", exact=True, k=None)', { query: 'boat', exact: true, k: null }],
  ['a bracket and a comma in the text', 'query_rag("boat), (sea")', 'boat), (sea'],
  ['a blank before the bracket', 'query_rag ("boat")', 'boat'],
])('the arguments may be %s', (_name, text, input) => {
  expect(callsInFunctions(text, isTool)).toEqual([call('query_rag', input)]);
});

test.each([
  'print(query_rag("boat"))',
  'print( await query_rag("boat"))',
  'await query_rag("boat");',
  'return await query_rag("boat");',
  'const found = await query_rag("boat");',
  'let found = query_rag("boat")',
  'var found=query_rag("boat")',
  '$found = query_rag("boat")',
  '[query_rag("boat")]',
  '[ [query_rag("boat")],]',
  'tools.query_rag("boat")',
  'functions.query_rag("boat")',
  'default_api.query_rag("boat")',
  '  query_rag("boat")  \n',
  'query_rag("boat") // look it up',
  'query_rag("boat")  # look it up',
  'query_rag("boat")  # look it up\n  ',
])('around a call may stand what programs have there: %s', (text) => {
  expect(callsInFunctions(text, isTool)).toEqual([call('query_rag', 'boat')]);
});

test.each([
  ['on two lines', 'query_rag("boat")\nwrite_note("milk")'],
  ['with an empty line between', 'query_rag("boat")\n\n\nwrite_note("milk")\n'],
  ['with comments', 'query_rag("boat") // first\nwrite_note("milk") # then'],
  ['as lines of a list', '[query_rag("boat"),\n write_note("milk")]'],
  ['as a list on one line', '[query_rag("boat"), write_note("milk")]'],
  ['with no blank between', '[query_rag("boat"),write_note("milk")]'],
  ['by semicolons', 'await query_rag("boat"); await write_note("milk");'],
  ['printed', 'print(query_rag("boat"))\nprint(write_note("milk"))'],
])('two calls %s are both read', (_name, text) => {
  expect(callsInFunctions(text, isTool)).toEqual([call('query_rag', 'boat'), call('write_note', 'milk')]);
});

test('a tool may have a dot in its name', () => {
  expect(callsInFunctions('mail.send("hi")\nfetchText(\'x.org\')', isTool)).toEqual([
    call('mail.send', 'hi'),
    call('fetchText', 'x.org'),
  ]);
});

test.each([
  ['nothing', ''],
  ['blanks', ' \n '],
  ['prose', 'The boat is blue.'],
  ['a name alone', 'query_rag'],
  ['a function that is no tool', 'launch("boat")'],
  ['a tool and a function that is none', 'query_rag("boat")\nlaunch("boat")'],
  ['words before it', 'I call query_rag("boat")'],
  ['words after it', 'query_rag("boat") finds it'],
  ['words after a comma', 'query_rag("boat"), which finds it'],
  ['a line of words after it', 'query_rag("boat")\nThat finds it.'],
  ['a variable', 'query_rag(words)'],
  ['a variable by name', 'query_rag(query=words)'],
  ['a comparison', 'query_rag(k=="boat")'],
  ['a bracket that is never closed', 'query_rag("boat"'],
  ['a text that is never closed', 'query_rag("boat)'],
  ['a result that is used', 'query_rag("boat")[0].text'],
  ['arguments both in order and by name', 'query_rag("boat", k=3)'],
])('%s is no call', (_name, text) => {
  expect(callsInFunctions(text, isTool)).toBeUndefined();
});
