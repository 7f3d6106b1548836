import { defineCodes } from './code-entry.ts';

/** Names that mean nothing, or mean two things, and clauses in the wrong place. */
export const NAME_CODES = defineCodes({
  TL2001: {
    severity: 'error',
    title: 'An unknown name',
    explanation:
      'No variable, function or tool of that name can be seen here. A `let` can be used below its line and ' +
      'inside its block only; functions, tools and types everywhere in their file. Programs have no access to ' +
      'the names of JavaScript.',
    example: { wrong: 'let price = 5\nprint pirce', right: 'let price = 5\nprint price' },
  },
  TL2002: {
    severity: 'error',
    title: 'An unknown type',
    explanation:
      'No `type` of that name is declared or imported. The types that need no declaration are string, int, ' +
      'float, bool and null.',
    example: { wrong: 'print think<number>("Pick one")', right: 'print think<int>("Pick one")' },
  },
  TL2003: {
    severity: 'error',
    title: 'An unknown tool',
    explanation:
      'What stands behind `with tools:` is declared with `tool`, imported, or a tool of the assistant (`wooster ' +
      'tools` lists them).',
    example: {
      wrong: 'print agent<string>("What time is it?") with tools: tell_tiem',
      right:
        'tool tell_time(): string { return "noon" }\nprint agent<string>("What time is it?") with tools: tell_time',
    },
  },
  TL2004: {
    severity: 'error',
    title: 'A name declared twice',
    explanation:
      'The same block already has a declaration of that name. To change the value of a variable leave out `let`.',
    example: { wrong: 'let n = 1\nlet n = 2\nprint n', right: 'let n = 1\nn = 2\nprint n' },
  },
  TL2005: {
    severity: 'error',
    title: 'An unknown error in a catch',
    explanation:
      'The errors that can be caught are listed in the language reference. `catch (e)` without a name takes ' +
      'every error.',
    example: {
      wrong: 'try { print think<string>("hi") } catch TimeOut (e) { print "too slow" }',
      right: 'try { print think<string>("hi") } catch Timeout (e) { print "too slow" }',
    },
  },
  TL2006: {
    severity: 'error',
    title: 'An imported file cannot be read',
    explanation: 'The path is relative to the folder of the importing file; `.tl` is added where it is missing.',
  },
  TL2007: {
    severity: 'error',
    title: 'A file does not have what is imported from it',
    explanation: 'Types, functions and tools at the top of a file can be imported from it.',
  },
  TL2008: {
    severity: 'error',
    title: 'Files import each other in a circle',
    explanation:
      'A file may not import one that imports it, directly or through others. Move what both need into a third file.',
  },
  TL2101: {
    severity: 'error',
    title: 'A clause that means nothing here',
    explanation: 'Each form that asks a model has its own clauses; the language reference has the table.',
    example: {
      wrong: 'print think<string>("Say hello") max turns: 3',
      right: 'print agent<string>("Say hello") max turns: 3',
    },
  },
  TL2102: {
    severity: 'error',
    title: 'An exclusion of what is not in the context',
    explanation: '`without context:` takes away what `with context:` includes, or a part of it.',
    example: {
      wrong:
        'let name = "Ada"\nlet age = 36\nprint think<string>("Greet") with context: { name } without context: { age }',
      right:
        'let user = { name: "Ada", age: 36 }\nprint think<string>("Greet") with context: { user } without ' +
        'context: { user.age }',
    },
  },
  TL2103: {
    severity: 'error',
    title: 'A guard rule that cannot hold',
    explanation:
      'The rules are `length: a..b`, `contains_none: [...]`, `passes: function`, and `field: a..b` for a field ' +
      'of the answer that is a number.',
    example: {
      wrong: 'print think<string>("Say hello") guard { contains_none: "bye" }',
      right: 'print think<string>("Say hello") guard { contains_none: ["bye"] }',
    },
  },
  TL2104: {
    severity: 'error',
    title: 'A number out of its range',
    explanation:
      'The smallest values are 1 for `retry`, `max turns` and `concurrency`, 2 for `batch_size`, and 0 for ' +
      '`cost_budget`.',
    example: {
      wrong: 'print reduce_think<string>(["a", "b"], "Sum up") batch_size: 1',
      right: 'print reduce_think<string>(["a", "b"], "Sum up") batch_size: 2',
    },
  },
  TL2105: {
    severity: 'error',
    title: 'A statement where it cannot stand',
    explanation:
      '`break` and `continue` stand in loops, and `type`, `tool`, `param` and `test` at the top of a file. `return` ' +
      'ends a function, a tool or the program itself, but no test and nothing that is typed in line by line.',
    example: { wrong: 'print 1\nbreak', right: 'for n in 1..3 {\n  print n\n  break\n}' },
  },
});
