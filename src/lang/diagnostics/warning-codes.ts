import { defineCodes } from './code-entry.ts';

/** Programs that run, but probably not as they were meant to. */
export const WARNING_CODES = defineCodes({
  TL4001: {
    severity: 'warning',
    title: 'A match leaves values out',
    explanation:
      'A value that no arm fits is an error when the program runs. End with an arm `_ => ...`, or name every ' +
      'value of the type.',
    example: {
      wrong: 'let n = think<int>("Pick one")\nprint match n { 1 => "one" }',
      right: 'let n = think<int>("Pick one")\nprint match n {\n  1 => "one"\n  _ => "another"\n}',
    },
  },
  TL4002: {
    severity: 'warning',
    title: 'A name that is never used',
    explanation: 'Remove the declaration, or begin the name with `_` to keep it.',
    example: { wrong: 'fn f() {\n  let n = 1\n}\nf()', right: 'fn f() {\n  let n = 1\n  print n\n}\nf()' },
  },
  TL4003: {
    severity: 'warning',
    title: 'Code that is never reached',
    explanation: 'What stands below `return`, `break` or `continue` in the same block never runs.',
    example: {
      wrong: 'fn f(): int {\n  return 1\n  print "done"\n}\nprint f()',
      right: 'fn f(): int {\n  print "done"\n  return 1\n}\nprint f()',
    },
  },
  TL4004: {
    severity: 'warning',
    title: 'A declared result is never returned',
    explanation:
      'The function or tool declares a result, but can end without `return`. A tool that only prints gives the ' +
      'model what it printed.',
    example: { wrong: 'fn f(): int {\n  print 1\n}\nf()', right: 'fn f(): int {\n  return 1\n}\nprint f()' },
  },
  TL4005: {
    severity: 'warning',
    title: 'A value that nothing is done with',
    explanation: 'The line computes a value and drops it. Print it, name it with `let`, or remove it.',
    example: { wrong: 'let n = 1\nn + 1', right: 'let n = 1\nprint n + 1' },
  },
  TL4006: {
    severity: 'warning',
    title: 'A tool gives the model nothing',
    explanation: 'The tool neither returns nor prints anything, so an agent that calls it learns nothing.',
    example: {
      wrong: 'tool look(): string {}\nprint agent<string>("Look") with tools: look',
      right: 'tool look(): string { return "a tree" }\nprint agent<string>("Look") with tools: look',
    },
  },
  TL4007: {
    severity: 'warning',
    title: 'An arm of a match is never reached',
    explanation: 'An arm before it takes every value that it could take.',
    example: {
      wrong: 'print match 1 {\n  _ => "any"\n  1 => "one"\n}',
      right: 'print match 1 {\n  1 => "one"\n  _ => "any"\n}',
    },
  },
  TL4008: {
    severity: 'warning',
    title: 'An unknown annotation',
    explanation:
      'The annotations are description, range, minItems, maxItems, minLength, maxLength and pattern. Others have ' +
      'no effect.',
    example: {
      wrong: 'type A {\n  @maxitems(3) tags: string[]\n}\nprint think<A>("Tag it")',
      right: 'type A {\n  @maxItems(3) tags: string[]\n}\nprint think<A>("Tag it")',
    },
  },
  TL4009: {
    severity: 'warning',
    title: 'A guard on a field that the answer does not have',
    explanation: 'A rule with a range is about the field of that name; where there is none, the guard always fails.',
    example: {
      wrong: 'type Tip { text: string }\nprint think<Tip>("Help") guard { score: 1..5 }',
      right: 'type Tip { text: string score: int }\nprint think<Tip>("Help") guard { score: 1..5 }',
    },
  },
});
