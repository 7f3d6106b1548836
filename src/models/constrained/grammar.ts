import { isRecord } from '../../base/json.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Longer limits than this make llama.cpp unroll more rules than it accepts; they are left to the check of the call. */
const MOST_COUNTED = 1000;

/** The rules that every grammar may refer to: JSON with the blanks that chat templates write. */
const JSON_RULES: Readonly<Record<string, string>> = {
  // Without \u: halves of pairs are no characters.
  char: String.raw`[^"\\\x00-\x1F\x7F] | "\\" ["\\/bfnrt]`,
  string: String.raw`"\"" char* "\""`,
  natural: '"0" | [1-9] [0-9]{0,14}',
  integer: '"-"? natural',
  number: 'integer ("." [0-9]{1,15})?',
  value: 'object | array | string | number | "true" | "false" | "null"',
  object: '"{" (member (", " member)*)? "}"',
  member: 'string ": " value',
  array: '"[" (value (", " value)*)? "]"',
};

/**
 * Rules in GBNF, the grammar notation of llama.cpp, that hold a model to JSON Schemas. What cannot be written or
 * counted
 * there (`pattern`, `format`, most ranges, long limits) stays to be checked afterwards.
 *
 * @see https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md
 */
export class Grammar {
  readonly #rules = new Map(Object.entries(JSON_RULES));
  readonly #longestText: number | undefined;

  /** @param longestText  in characters, of a string without a shorter limit of its own. */
  constructor(longestText?: number) {
    this.#longestText = longestText;
  }

  /** Give a rule a name, to refer to it more than once. */
  rule(body: string): string {
    const name = `r${this.#rules.size}`;
    this.#rules.set(name, body);
    return name;
  }

  /** What matches the JSON of every value that fits a schema. */
  json(schema: unknown): string {
    const referred = new Map<string, string>();
    const of = (inner: unknown): string => {
      if (!isRecord(inner)) return 'value';
      if (typeof inner.$ref === 'string') return this.#referred(inner.$ref, { root: schema, referred, of });
      if ('const' in inner) return literal(asJson(inner.const));
      if (Array.isArray(inner.enum)) return oneOf(inner.enum.map((each) => literal(asJson(each))));
      const options = inner.anyOf ?? inner.oneOf;
      if (Array.isArray(options) && options.length > 0) return oneOf(options.map(of));
      if (Array.isArray(inner.type)) return oneOf(inner.type.map((type) => of({ ...inner, type })));
      return this.#ofType(inner, of);
    };
    return of(schema);
  }

  /** The whole grammar. */
  text(root: string): string {
    return [`root ::= ${root}`, ...[...this.#rules].map(([name, body]) => `${name} ::= ${body}`)].join('\n');
  }

  #ofType(schema: Schema, of: (inner: unknown) => string): string {
    switch (schema.type ?? (isRecord(schema.properties) ? 'object' : undefined)) {
      case 'string':
        return this.#string(schema);
      case 'integer':
        return Number(schema.minimum ?? schema.exclusiveMinimum) >= 0 ? 'natural' : 'integer';
      case 'number':
        return 'number';
      case 'boolean':
        return '("true" | "false")';
      case 'null':
        return '"null"';
      case 'array':
        return this.#array(schema, of);
      case 'object':
        return this.#object(schema, of);
      default:
        return 'value';
    }
  }

  #string({ minLength, maxLength }: Schema): string {
    const most = Math.min(
      asLimit(maxLength) ?? Number.POSITIVE_INFINITY,
      this.#longestText ?? Number.POSITIVE_INFINITY,
    );
    const least = Math.min(asLimit(minLength) ?? 0, most);
    return `"\\"" char${times(least, most)} "\\""`;
  }

  #array({ items, minItems, maxItems }: Schema, of: (inner: unknown) => string): string {
    const item = this.rule(of(items));
    const least = asLimit(minItems) ?? 0;
    const more = times(Math.max(0, least - 1), (asLimit(maxItems) ?? Number.POSITIVE_INFINITY) - 1);
    const some = `${item} (", " ${item})${more}`;
    return maxItems === 0 ? '"[]"' : `"[" ${least > 0 ? some : `(${some})?`} "]"`;
  }

  /** Fields in the order of the schema. The optional ones may be left out, and so may the comma before the first. */
  #object({ properties, required, additionalProperties }: Schema, of: (inner: unknown) => string): string {
    const names = Object.keys(isRecord(properties) ? properties : {});
    if (names.length === 0) return additionalProperties === false || isRecord(properties) ? '"{}"' : 'object';
    const isNeeded = (name: string) => Array.isArray(required) && required.includes(name);
    const field = (name: string) =>
      this.rule(`${literal(`${asJson(name)}: `)} ${of(isRecord(properties) ? properties[name] : {})}`);
    const needed = names.filter(isNeeded).map(field);
    const optional = names.filter((name) => !isNeeded(name)).map(field);
    const after = (fields: readonly string[]) => fields.map((each) => ` (", " ${each})?`).join('');
    if (needed.length > 0) return this.rule(`"{" ${needed.join(' ", " ')}${after(optional)} "}"`);
    const starts = optional.map((each, index) => `${each}${after(optional.slice(index + 1))}`);
    return this.rule(`"{" (${starts.join(' | ')})? "}"`);
  }

  /** A part of the schema that others point at; it may contain itself. */
  #referred(
    pointer: string,
    { root, referred, of }: { root: unknown; referred: Map<string, string>; of: (inner: unknown) => string },
  ): string {
    const known = referred.get(pointer);
    if (known !== undefined) return known;
    const name = this.rule('');
    referred.set(pointer, name);
    const keys = pointer.split('/').slice(1);
    const target = keys.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), root);
    this.#rules.set(name, of(target));
    return name;
  }
}

/** A text as a literal of GBNF. */
export function literal(text: string): string {
  const escaped = text.replace(/[\\"]/gu, String.raw`\$&`).replaceAll('\n', String.raw`\n`);
  return `"${escaped.replaceAll('\r', String.raw`\r`).replaceAll('\t', String.raw`\t`)}"`;
}

export function oneOf(options: readonly string[]): string {
  return options.length === 1 ? (options[0] ?? '') : `(${options.join(' | ')})`;
}

/** With a blank after colons and commas, as `tojson` of chat templates writes it. */
export function asJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(asJson).join(', ')}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}: ${asJson(inner)}`)
    .join(', ')}}`;
}

function times(least: number, most: number): string {
  const from = least > MOST_COUNTED ? 0 : least;
  if (most <= MOST_COUNTED) return `{${from},${most}}`;
  return from === 0 ? '*' : `{${from},}`;
}

function asLimit(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}
