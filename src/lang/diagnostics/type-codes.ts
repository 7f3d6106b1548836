import { defineCodes } from './code-entry.ts';

/** Values of the wrong type. */
export const TYPE_CODES = defineCodes({
  TL3001: {
    severity: 'error',
    title: 'A value of another type is needed here',
    explanation:
      'An int can stand where a float is needed, and a `T` where a `T?` or `T | U` is; nothing else is converted.',
    example: { wrong: 'let x: int = "abc"\nprint x', right: 'let x: string = "abc"\nprint x' },
  },
  TL3002: {
    severity: 'error',
    title: 'Too many or too few arguments',
    explanation:
      'A call gives one value for each parameter. Only optional parameters (`T?`) at the end may be left out.',
    example: {
      wrong: 'fn twice(n: int): int { return n * 2 }\nprint twice()',
      right: 'fn twice(n: int): int { return n * 2 }\nprint twice(4)',
    },
  },
  TL3003: {
    severity: 'error',
    title: 'A value does not have that field',
    explanation: 'Records have the fields that their type declares.',
    example: {
      wrong: 'type Person { name: string }\nlet p = think<Person>("Invent one")\nprint p.nmae',
      right: 'type Person { name: string }\nlet p = think<Person>("Invent one")\nprint p.name',
    },
  },
  TL3004: {
    severity: 'error',
    title: 'An uncertain value is used as if it were certain',
    explanation:
      'A `Confident<T>` holds a value, a confidence and a reasoning. Take the value out with `.unwrap()`, ' +
      '`.expect(0.8)` or `.or(other)`, or look at `.value` and `.confidence`.',
    example: {
      wrong: 'type Mood { label: string }\nlet uncertain m = think<Mood>("What mood?")\nprint m.label',
      right: 'type Mood { label: string }\nlet uncertain m = think<Mood>("What mood?")\nprint m.expect(0.8).label',
    },
  },
  TL3005: {
    severity: 'error',
    title: 'Only functions and tools can be called',
    explanation: 'What stands before the parentheses is a value, not a function.',
    example: { wrong: 'let n = 5\nprint n(1)', right: 'fn n(x: int): int { return x }\nprint n(1)' },
  },
  TL3006: {
    severity: 'error',
    title: 'An operator does not fit its values',
    explanation:
      'Arithmetic takes numbers, `+` also joins texts and lists. `==` compares values that can be equal, and never ' +
      'converts one: `"1" == 1` is an error.',
    example: { wrong: 'print "1" == 1', right: 'print "1" == "1"' },
  },
  TL3007: {
    severity: 'error',
    title: 'A record lacks a field',
    explanation: 'Every field without `?` has to be given.',
    example: {
      wrong: 'type Point { x: int y: int }\nlet p: Point = { x: 1 }\nprint p',
      right: 'type Point { x: int y: int }\nlet p: Point = { x: 1, y: 2 }\nprint p',
    },
  },
  TL3008: {
    severity: 'error',
    title: 'Only lists and records have items',
    explanation: '`list[0]` takes an int, `record["name"]` a string. `for` goes through a list or a range.',
    example: { wrong: 'for c in 5 {\n  print c\n}', right: 'for c in 1..5 {\n  print c\n}' },
  },
  TL3009: {
    severity: 'error',
    title: 'A value that may be null is used as if it were there',
    explanation:
      'A value of a type with `?` may be null, and null has no fields and no items. Ask before using it: below ' +
      '`if p != null`, in `p != null && ...`, behind `if p == null { return }` and behind the null arm of a `match` ' +
      'it is there.',
    example: {
      wrong: 'type Person { name: string }\nlet p = think<Person?>("Who wrote this?")\nprint p.name',
      right:
        'type Person { name: string }\nlet p = think<Person?>("Who wrote this?")\nif p != null {\n  print p.name\n}',
    },
  },
});
