import { defineCodes } from './code-entry.ts';

/** What cannot be read as a program. */
export const SYNTAX_CODES = defineCodes({
  TL1001: {
    severity: 'error',
    title: 'Something else was expected here',
    explanation:
      'The text up to this place could be the start of a program, but what stands here cannot go on. The message ' +
      'says what could.',
    example: { wrong: 'let = 5', right: 'let five = 5\nprint five' },
  },
  TL1002: {
    severity: 'error',
    title: 'A text never ends',
    explanation:
      'A text begins here whose closing quote is missing. Texts may span lines, so the missing quote may belong ' +
      'to a text before it.',
    example: { wrong: 'print "hello', right: 'print "hello"' },
  },
  TL1003: {
    severity: 'error',
    title: 'A comment never ends',
    explanation: 'A comment that begins with `/*` goes on until `*/`.',
    example: { wrong: 'print 1 /* one', right: 'print 1 /* one */' },
  },
  TL1004: {
    severity: 'error',
    title: 'A bracket is never closed',
    explanation: 'The file ends before the bracket that opens here is closed.',
    example: { wrong: 'fn one(): int {\n  return 1', right: 'fn one(): int {\n  return 1\n}\nprint one()' },
  },
  TL1005: {
    severity: 'error',
    title: 'Nested too deeply',
    explanation:
      'Brackets may stand 200 deep in each other, and an expression may have about a thousand levels. Give the ' +
      'parts names with `let`, or make functions of them.',
  },
  TL1006: {
    severity: 'error',
    title: 'The file is too large',
    explanation:
      'A program has at most 1,048,576 characters. Read large texts with a tool instead of writing them into the ' +
      'program.',
  },
  TL1007: {
    severity: 'error',
    title: 'A character that no program can contain',
    explanation:
      'The file contains the character NUL. It is probably not a text file, or was saved as UTF-16: save it as UTF-8.',
    example: { wrong: 'print "a\u0000b"', right: 'print "ab"' },
  },
  TL1008: {
    severity: 'error',
    title: 'Not valid Unicode',
    explanation:
      'The text contains half of a character (a lone surrogate) or bytes that are not UTF-8. Save the file as UTF-8.',
    example: { wrong: 'print "a\ud800b"', right: 'print "ab"' },
  },
  TL1009: {
    severity: 'error',
    title: 'An import below other statements',
    explanation: 'Imports stand at the top of the file, before every other statement.',
  },
  TL1010: {
    severity: 'error',
    title: 'A reserved word as a name',
    explanation:
      'Words such as `type`, `test` and `from` mean something to the language, so variables, functions and types ' +
      'need other names. Fields of records may have such names.',
    example: { wrong: 'let type = "a"', right: 'let kind = "a"\nprint kind' },
  },
  TL1011: {
    severity: 'error',
    title: 'A clause given twice',
    explanation: 'Each clause may stand once in an expression. Rules of several `guard` clauses add up.',
    example: {
      wrong: 'print agent<string>("Say hello") max turns: 2 max turns: 3',
      right: 'print agent<string>("Say hello") max turns: 3',
    },
  },
  TL1012: {
    severity: 'error',
    title: 'Only variables can be given a value',
    explanation:
      'The left side of `=` is the name of a variable. Values never change inside: make a new record or list instead.',
    example: {
      wrong: 'let point = { x: 1 }\npoint.x = 2\nprint point',
      right: 'let point = { x: 1 }\npoint = { x: 2 }\nprint point',
    },
  },
  TL1013: {
    severity: 'error',
    title: 'A bracket closes what was never opened',
    explanation: 'There is no open bracket that this one could close.',
    example: { wrong: 'print 1\n}', right: 'print 1' },
  },
});
