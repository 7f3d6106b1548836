import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Program } from '../grammar/ast.ts';
import { parse } from '../grammar/parse.ts';
import { printProgram } from './format.ts';

/** Trees without locations, which a generated program does not have. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => name !== 'location' && name !== 'comments');
  return Object.fromEntries(entries.map(([name, each]) => [name, bare(each)]));
}

const at = { offset: 0, line: 1, column: 1 };
const node = <Fields extends object>(type: string, fields: Fields) => ({
  type,
  ...fields,
  location: { start: at, end: at },
});
const record = <Fields extends Record<string, fc.Arbitrary<unknown>>>(
  type: string,
  fields: Fields,
  optional: string[] = [],
) =>
  fc
    .record(fields, { requiredKeys: Object.keys(fields).filter((name) => !optional.includes(name)) as never })
    .map((each) => node(type, each as object));

const WORDS = 'a b c item price guarded with context steps mode uncertain of_1'.split(' ');
const name = fc.constantFrom(...WORDS).map((each) => node('Name', { name: each }));
const fieldName = fc.constantFrom(...WORDS, 'type', 'from', 'test').map((each) => node('Name', { name: each }));
const textValue = fc.oneof(fc.string(), fc.constantFrom('a "b" \\ \'c\'\n\td', '${x}', '`', '$', '// no', '/*'));
const text = textValue
  .filter((value) => !value.includes('\0') && value.isWellFormed())
  .map((value) => node('StringLiteral', { value }));
const number = fc
  .oneof(
    fc.nat(1000).map(String),
    fc.tuple(fc.nat(99), fc.nat(99)).map(([a, b]) => `${a}.${b}`),
  )
  .map((raw) => node('NumberLiteral', { value: Number(raw), raw }));
const identifier = fc.constantFrom(...WORDS).map((each) => node('IdentifierExpression', { name: each }));

const { type } = fc.letrec((tie) => ({
  type: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('string', 'int', 'float', 'bool', 'null').map((each) => node('PrimitiveType', { name: each })),
    fc.constantFrom('Person', 'A').map((each) => node('NamedType', { name: each })),
    record('ArrayType', { element: tie('type') }),
    record('OptionalType', { inner: tie('type') }),
    record('ConfidentType', { inner: tie('type') }),
    record('UnionType', { types: fc.array(tie('type'), { minLength: 2, maxLength: 3 }) }),
  ),
}));

const { expression } = fc.letrec((tie) => {
  const e = tie('expression');
  const list = fc.array(e, { maxLength: 3 });
  const path = fc.array(fieldName, { maxLength: 2 }).chain((rest) =>
    identifier.map((head) => {
      const whole = rest.reduce((object: object, property) => node('MemberExpression', { object, property }), head);
      return node('ContextEntry', { key: [head, ...rest].map((each) => each.name).join('.'), path: whole });
    }),
  );
  const contextBlock = fc.oneof(
    record('ContextBlock', { entries: fc.array(path, { minLength: 1, maxLength: 3 }) }),
    e.map((value) => node('ContextBlock', { entries: [], value })),
  );
  const rule = record('GuardRule', { name: fieldName, value: e, rangeEnd: e }, ['rangeEnd']).filter(
    (each) => 'rangeEnd' in each || (each as never as { value: { type: string } }).value.type !== 'RangeExpression',
  );
  const clauses = fc.record(
    {
      context: contextBlock,
      without: contextBlock,
      guard: record('GuardClause', { rules: fc.array(rule, { minLength: 1, maxLength: 2 }) }),
      onFail: record('OnFailClause', { attempts: e, fallback: e }, ['fallback']),
      tools: fc.array(name, { minLength: 1, maxLength: 2 }),
      maxTurns: e,
      concurrency: e,
      costBudget: e,
      onError: name,
      batchSize: e,
    },
    { requiredKeys: [] },
  );
  const ai = { typeArgument: type, clauses };
  const template = fc.array(e, { maxLength: 2 }).chain((expressions) =>
    fc
      .array(
        text.map(({ value }) => value),
        { minLength: expressions.length + 1, maxLength: expressions.length + 1 },
      )
      .map((texts) => node('TemplateLiteral', { texts, expressions })),
  );
  const literalPattern = fc
    .oneof(
      text.map(({ value }) => value),
      fc.integer({ min: -99, max: 99 }),
      fc.boolean(),
      fc.constant(null),
    )
    .map((value) => node('LiteralPattern', { value: Object.is(value, -0) ? 0 : value }));
  const constraint = fc.oneof(
    record('ComparisonConstraint', { operator: fc.constantFrom('>=', '<=', '==', '!=', '>', '<'), value: e }),
    record('LiteralConstraint', { value: e }),
  );
  const pattern = fc.oneof(
    literalPattern,
    fc.constant(node('WildcardPattern', {})),
    record('ObjectPattern', {
      fields: fc.array(record('PatternField', { name: fieldName, constraint }), { minLength: 1, maxLength: 2 }),
    }),
  );
  const property = fc.oneof(
    record('ObjectProperty', {
      key: fc.oneof(
        fieldName,
        text.map(({ value }) => node('Name', { name: value })),
      ),
      value: e,
      shorthand: fc.constant(false),
    }),
    identifier.map((value) =>
      node('ObjectProperty', { key: node('Name', { name: value.name }), value, shorthand: true }),
    ),
  );
  return {
    expression: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(
        identifier,
        text,
        number,
        fc.boolean().map((value) => node('BooleanLiteral', { value })),
        fc.constant(node('NullLiteral', {})),
      ),
      record('PipelineExpression', { stages: fc.array(e, { minLength: 2, maxLength: 3 }) }),
      record('BinaryExpression', {
        operator: fc.constantFrom('||', '&&', '==', '!=', '>=', '<=', '>', '<', '+', '-', '*', '/', '%'),
        left: e,
        right: e,
      }),
      record('UnaryExpression', { operator: fc.constantFrom('!', '-'), operand: e }),
      record('RangeExpression', { start: e, end: e }),
      record('MemberExpression', { object: e, property: fieldName }),
      record('IndexExpression', { object: e, index: e }),
      record('FunctionCallExpression', { callee: e, args: list }),
      record('MatchExpression', {
        subject: e,
        arms: fc.array(record('MatchArm', { pattern, body: e }), { minLength: 1, maxLength: 3 }),
      }),
      record('ArrayLiteral', { elements: list }),
      record('ObjectLiteral', { properties: fc.array(property, { maxLength: 3 }) }),
      template,
      record('ThinkExpression', { ...ai, prompt: e }),
      record('InferExpression', { ...ai, value: e, hint: e }, ['hint']),
      record('AgentExpression', { ...ai, prompt: e }),
      record('BatchExpression', { ...ai, items: e, fn: e }),
      record('MapThinkExpression', { ...ai, items: e, prompt: e }),
      record('ReduceThinkExpression', { ...ai, items: e, prompt: e }),
      record('ReasonBlock', {
        ...ai,
        goal: fc.oneof(text, template),
        steps: fc.array(record('ReasonStep', { number: fc.nat(20), description: text }), {
          minLength: 1,
          maxLength: 3,
        }),
      }),
    ),
  };
});

const annotation = fc
  .oneof(
    text.map(({ value }) => value),
    fc.integer(),
    fc.constant(0.5),
  )
  .chain((value) => name.map((each) => node('Annotation', { name: each, value: Object.is(value, -0) ? 0 : value })));
const annotations = fc.array(annotation, { maxLength: 2 });
const params = fc.array(record('FunctionParam', { name, typeExpression: type, annotations }), { maxLength: 2 });

const { statement } = fc.letrec((tie) => {
  const block = record('Block', { statements: fc.array(tie('statement'), { maxLength: 3 }) });
  const mode = record('TestMode', { kind: name, path: text });
  const ifElse = (otherwise: fc.Arbitrary<unknown>) =>
    record('IfElse', { condition: expression, body: block, otherwise }, ['otherwise']);
  return {
    statement: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      record('PrintStatement', { value: expression }),
      record('LetDeclaration', { name, uncertain: fc.boolean(), typeExpression: type, value: expression }, [
        'typeExpression',
      ]),
      record('AssignStatement', { name, value: expression }),
      record('ReturnStatement', { value: expression }, ['value']),
      record('ExpressionStatement', { expression }),
      record('ParamDeclaration', { name, typeExpression: type, default: expression }, ['default']),
      fc.constantFrom(node('BreakStatement', {}), node('ContinueStatement', {})),
      record('TypeDeclaration', {
        name,
        fields: fc.array(record('TypeField', { name: fieldName, typeExpression: type, annotations }), { maxLength: 3 }),
      }),
      record('AssertStatement', { kind: fc.constant('value'), value: expression }),
      record('AssertStatement', { kind: fc.constant('semantic'), value: expression, criteria: expression }),
      record('ForStatement', { name, items: expression, body: block }),
      record('WhileStatement', { condition: expression, body: block }),
      ifElse(fc.oneof(block, ifElse(block))),
      record('TryCatch', {
        body: block,
        catches: fc.array(record('CatchClause', { errorType: name, variable: name, body: block }, ['errorType']), {
          minLength: 1,
          maxLength: 2,
        }),
      }),
      record('TestBlock', { name: text, mode, body: block }, ['mode']),
      record('FunctionDeclaration', { name, params, returnType: type, body: block }, ['returnType']),
      record('ToolDeclaration', { name, params, returnType: type, annotations, body: block }),
    ),
  };
});

const imports = fc.array(
  record('ImportDeclaration', { names: fc.array(name, { minLength: 1, maxLength: 2 }), path: text }),
  { maxLength: 1 },
);
const program = record('Program', { imports, statements: fc.array(statement, { maxLength: 4 }) }).map(
  (each) => ({ ...each, comments: [] }) as never as Program,
);

describe('a program as text', () => {
  test('reads as the same program', () => {
    fc.assert(
      fc.property(program, (tree) => {
        const printed = printProgram(tree);
        const { program: read, diagnostics } = parse(printed);
        expect(diagnostics, printed).toEqual([]);
        expect(bare(read), printed).toEqual(bare(tree));
        expect(printProgram(read, printed)).toBe(printed);
      }),
      { numRuns: Number(process.env.LANG_RUNS ?? 40) },
    );
  });
});

describe('the formatter', () => {
  const formatted = (source: string) => {
    const { program: read, diagnostics } = parse(source);
    expect(diagnostics).toEqual([]);
    const text = printProgram(read, source);
    const again = parse(text);
    expect(bare(again.program), text).toEqual(bare(read));
    expect(printProgram(again.program, text)).toBe(text);
    return text;
  };

  test('keeps every comment, blank line and quote', () => {
    const source = `// head

/// A mood.
type Mood { // inside
  @description("how")   // why
  label: string // label


  // before score
  score:float?
  // last
}
fn f ( a : int ) : int { return a*2 /* twice */ } // f
let x = foo(1, // one
  2)
print match x { // subject
  // first
  1 => 'one' // one
  _ => "more" // last
  // end
}
if a { // yes
} else { /* no */ print 'no' }
// the end`;
    expect(formatted(source)).toBe(`// head

/// A mood.
type Mood {
  // inside
  // why
  @description("how")
  label: string // label

  // before score
  score: float?
  // last
}
fn f(a: int): int {
  return a * 2 /* twice */
} // f
// one
let x = foo(1, 2)
print match x {
  // subject
  // first
  1 => 'one' // one
  _ => "more" // last
  // end
}
if a {
  // yes
} else {
  /* no */
  print 'no'
}
// the end
`);
  });

  test('breaks what is too long for a line, and gives clauses lines of their own', () => {
    const source =
      'let r = agent<Advice>("Look") with context: {a,b} with tools: x,y max turns: 5\n' +
      'print think<string>("Short") with context: { a }\n' +
      `print join(["${'a'.repeat(40)}", "${'b'.repeat(40)}"], { first: "${'c'.repeat(50)}", second: "${'d'.repeat(50)}" })\n` +
      `let sum = ${'first_number + '.repeat(8)}last_number - 1\n`;
    expect(formatted(source)).toBe(`let r = agent<Advice>("Look")
  with tools: x, y
  with context: { a, b }
  max turns: 5
print think<string>("Short") with context: { a }
print join(
  ["${'a'.repeat(40)}", "${'b'.repeat(40)}"],
  {
    first: "${'c'.repeat(50)}",
    second: "${'d'.repeat(50)}",
  },
)
let sum = first_number
  + first_number
  + first_number
  + first_number
  + first_number
  + first_number
  + first_number
  + first_number
  + last_number -
  1
`);
  });

  test('gives nothing for nothing', () => {
    expect(formatted('')).toBe('');
    expect(formatted('\n\n// only\n')).toBe('// only\n');
  });
});
