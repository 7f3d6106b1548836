import type {
  BinaryExpression,
  BinaryOperator,
  Expression,
  MatchExpression,
  Pattern,
  TemplateLiteral,
} from '../grammar/ast.ts';
import type { Location } from '../grammar/location.ts';
import { type AiForm, aiText } from './ai.ts';
import type { Comments } from './comments.ts';
import { keyText, numberText, quoted, templateText } from './literals.ts';

/** Lines are broken where possible to stay within this many columns. */
const WIDTH = 100;
export const INDENT = '  ';

/** Precedence levels, loosest first: an expression where a tighter one is needed gets parentheses. */
const [PIPELINE, BINARY, RANGE, UNARY, POSTFIX, PRIMARY] = [0, 1, 7, 8, 9, 10];
const TIGHTNESS: Readonly<Record<BinaryOperator, number>> = {
  ...{ '||': BINARY, '&&': 2, '==': 3, '!=': 3, '>=': 4, '<=': 4, '>': 4, '<': 4 },
  ...{ '+': 5, '-': 5, '*': 6, '/': 6, '%': 6 },
};

/** Prints expressions in the formatter's one style. */
export class ExpressionPrinter {
  readonly #source: string | undefined;
  readonly #comments: Comments;

  /** @param source  keeps string literals as written; without it they are quoted anew. */
  constructor(source: string | undefined, comments: Comments) {
    this.#source = source;
    this.#comments = comments;
  }

  /**
   * An expression that starts at a given column.
   *
   * @param indent  that of the line that it stands in.
   * @param used    columns of that line that are taken already.
   */
  text(node: Expression, indent: string, used = indent.length): string {
    const flat = this.#flat(node, PIPELINE);
    return fits(flat, used) ? flat : this.#broken(node, { indent, used });
  }

  /** The same where a tighter level is needed, on one line. */
  operand(node: Expression, level: 'unary' | 'postfix'): string {
    return this.#flat(node, level === 'unary' ? UNARY : POSTFIX);
  }

  /** One of several values separated by commas: a list of tools would swallow what follows the comma. */
  item(node: Expression): string {
    const flat = this.#flat(node, PIPELINE);
    return hasClauses(node) ? `(${flat})` : flat;
  }

  /** A text as it was written, or quoted. */
  literal(value: string, location: Location): string {
    return this.#source?.slice(location.start.offset, location.end.offset) ?? quoted(value);
  }

  #flat(node: Expression, least: number): string {
    const text = this.#flatText(node);
    return levelOf(node) < least || (least > PIPELINE && hasClauses(node)) ? `(${text})` : text;
  }

  #flatText(node: Expression): string {
    switch (node.type) {
      case 'PipelineExpression':
        return node.stages.map((stage) => this.#flat(stage, BINARY_OR_CLAUSES(stage))).join(' |> ');
      case 'BinaryExpression': {
        const level = TIGHTNESS[node.operator];
        return `${this.#flat(node.left, level)} ${node.operator} ${this.#flat(node.right, level + 1)}`;
      }
      case 'UnaryExpression':
        return `${node.operator}${this.#flat(node.operand, UNARY)}`;
      case 'RangeExpression':
        return `${this.#flat(node.start, UNARY)}..${this.#flat(node.end, UNARY)}`;
      case 'MemberExpression':
        return `${this.#flat(node.object, POSTFIX)}.${node.property.name}`;
      case 'IndexExpression':
        return `${this.#flat(node.object, POSTFIX)}[${this.#flat(node.index, PIPELINE)}]`;
      case 'FunctionCallExpression':
        return `${this.#flat(node.callee, POSTFIX)}(${node.args.map((each) => this.item(each)).join(', ')})`;
      case 'MatchExpression':
        return this.#match(node, '');
      default:
        return this.#primary(node);
    }
  }

  #primary(node: Exclude<Expression, Compound>): string {
    switch (node.type) {
      case 'StringLiteral':
        return this.literal(node.value, node.location);
      case 'TemplateLiteral':
        return this.#template(node);
      case 'NumberLiteral':
        return node.raw;
      case 'BooleanLiteral':
        return String(node.value);
      case 'NullLiteral':
        return 'null';
      case 'IdentifierExpression':
        return node.name;
      case 'ArrayLiteral':
        return `[${node.elements.map((each) => this.item(each)).join(', ')}]`;
      case 'ObjectLiteral':
        return node.properties.length === 0 ? '{}' : `{ ${this.#properties(node).join(', ')} }`;
      default:
        return aiText(node, this, undefined);
    }
  }

  #properties({ properties }: Expression & { type: 'ObjectLiteral' }): string[] {
    return properties.map(({ key, value, shorthand }) =>
      shorthand ? key.name : `${keyText(key.name)}: ${this.item(value)}`,
    );
  }

  #template({ texts, expressions, location }: TemplateLiteral): string {
    const written = this.#source?.slice(location.start.offset, location.end.offset);
    if (written !== undefined) return written;
    const parts = expressions.map(
      (each, index) => `\${${this.#flat(each, PIPELINE)}}${templateText(texts[index + 1] ?? '')}`,
    );
    return `\`${templateText(texts[0] ?? '')}${parts.join('')}\``;
  }

  /** Over several lines, where the grammar allows it. */
  #broken(node: Expression, at: { indent: string; used: number }): string {
    const deeper = at.indent + INDENT;
    switch (node.type) {
      case 'PipelineExpression':
        return node.stages.map((each) => this.#stage(each, deeper)).join(`\n${deeper}|> `);
      case 'BinaryExpression':
        return this.#brokenBinary(node, at.indent);
      case 'FunctionCallExpression': {
        if (node.args.length === 0) return this.#flat(node, PIPELINE);
        const args = node.args.map((each) => `${deeper}${this.#item(each, deeper)}`);
        return `${this.#flat(node.callee, POSTFIX)}(\n${args.join(',\n')},\n${at.indent})`;
      }
      case 'ArrayLiteral':
        return `[\n${node.elements.map((each) => `${deeper}${this.#item(each, deeper)},\n`).join('')}${at.indent}]`;
      case 'ObjectLiteral': {
        const lines = node.properties.map(({ key, value, shorthand }) =>
          shorthand ? key.name : `${keyText(key.name)}: ${this.#item(value, deeper)}`,
        );
        return `{\n${lines.map((line) => `${deeper}${line},\n`).join('')}${at.indent}}`;
      }
      case 'MatchExpression':
        return this.#match(node, at.indent);
      default:
        return isAi(node) ? aiText(node, this, at.indent) : this.#flat(node, PIPELINE);
    }
  }

  #item(node: Expression, indent: string): string {
    const text = this.text(node, indent);
    return hasClauses(node) ? `(${text})` : text;
  }

  #stage(node: Expression, indent: string): string {
    return node.type === 'PipelineExpression' ? this.#flat(node, BINARY) : this.text(node, indent, indent.length + 3);
  }

  /** Lines break before an operator, except before `-`, which would start a statement there. */
  #brokenBinary(node: BinaryExpression, indent: string): string {
    const level = TIGHTNESS[node.operator];
    const deeper = indent + INDENT;
    const left =
      node.left.type === 'BinaryExpression' && TIGHTNESS[node.left.operator] === level
        ? this.#brokenBinary(node.left, indent)
        : this.#flat(node.left, level);
    const right = this.#flat(node.right, level + 1);
    return node.operator === '-' ? `${left} -\n${deeper}${right}` : `${left}\n${deeper}${node.operator} ${right}`;
  }

  #match({ subject, arms, location }: MatchExpression, indent: string): string {
    const deeper = indent + INDENT;
    let from = subject.location.end.offset;
    const lines = arms.flatMap((arm, index) => {
      const next = arms[index + 1]?.location.start.offset ?? location.end.offset;
      const before = this.#comments.between(from, arm.location.start.offset);
      const pattern = this.#pattern(arm.pattern);
      const body = this.text(arm.body, deeper, deeper.length + pattern.length + 4);
      const behind = this.#comments.behind(arm.location, next);
      from = behind === '' ? arm.location.end.offset : lineEnd(this.#source, arm.location);
      return [...before.map(({ text }) => text), `${pattern} => ${body}${behind}`];
    });
    const last = this.#comments.between(from, location.end.offset).map(({ text }) => text);
    const body = [...lines, ...last].map((line) => `${deeper}${line}\n`).join('');
    return `match ${this.#flat(subject, POSTFIX)} {\n${body}${indent}}`;
  }

  #pattern(pattern: Pattern): string {
    if (pattern.type === 'WildcardPattern') return '_';
    if (pattern.type === 'LiteralPattern') {
      const { value, location } = pattern;
      if (typeof value === 'string') return this.literal(value, location);
      return typeof value === 'number' ? numberText(value) : String(value);
    }
    const fields = pattern.fields.map(({ name, constraint }) => {
      const operator = constraint.type === 'ComparisonConstraint' ? `${constraint.operator} ` : '';
      return `${name.name}: ${operator}${this.item(constraint.value)}`;
    });
    return `{ ${fields.join(', ')} }`;
  }
}

type Compound = Extract<
  Expression,
  {
    type:
      | 'PipelineExpression'
      | 'BinaryExpression'
      | 'UnaryExpression'
      | 'RangeExpression'
      | 'MemberExpression'
      | 'IndexExpression'
      | 'FunctionCallExpression'
      | 'MatchExpression';
  }
>;

/** A stage may have clauses: they end where the next stage begins. */
function BINARY_OR_CLAUSES(stage: Expression): number {
  return hasClauses(stage) ? PIPELINE : BINARY;
}

function levelOf(node: Expression): number {
  switch (node.type) {
    case 'PipelineExpression':
      return PIPELINE;
    case 'BinaryExpression':
      return TIGHTNESS[node.operator];
    case 'RangeExpression':
      return RANGE;
    case 'UnaryExpression':
      return UNARY;
    case 'MemberExpression':
    case 'IndexExpression':
    case 'FunctionCallExpression':
      return POSTFIX;
    default:
      return PRIMARY;
  }
}

function isAi(node: Expression): node is AiForm {
  return 'clauses' in node;
}

/** Clauses after the closing parenthesis extend as far as they can; those of `reason` are inside its braces. */
function hasClauses(node: Expression): boolean {
  return isAi(node) && node.type !== 'ReasonBlock' && Object.keys(node.clauses).length > 0;
}

function fits(text: string, used: number): boolean {
  return !text.includes('\n') && used + text.length <= WIDTH;
}

/** The end of a node's last line. */
export function lineEnd(source: string | undefined, { end }: Location): number {
  const found = source?.indexOf('\n', end.offset) ?? -1;
  return found < 0 ? Number.MAX_SAFE_INTEGER : found;
}
