import { isDeeperThan, isRecord } from '../../base/json.ts';
import type { Schema } from '../../tools/signature.ts';

/** How deep a recursive schema is shown to models. */
const MAX_REF_DEPTH = 5;
/** Parts in which a schema is shown once its references are resolved; a larger one is shown as it came. */
const MAX_SHOWN_PARTS = 2000;

const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
/** Keywords whose values are schemas by name. */
const BY_NAME = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
/** Keywords with one schema or a list of them. */
const INSIDE = [
  ...['items', 'prefixItems', 'additionalItems', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'],
];

/**
 * Refuse a schema that would make the validator fail at the first call.
 *
 * @throws TypeError with the place in the schema: `#/properties/kind: unknown type "strin"`.
 */
export function checkJsonSchema(root: Schema): void {
  if (isDeeperThan(root)) throw new TypeError('the schema is nested too deeply');
  for (const { schema, at } of partsOf(root, '#')) {
    const problem = problemOf(schema, root);
    if (problem) throw new TypeError(`${at}: ${problem}`);
  }
}

/** The same schema without regular expressions: a third party's can keep the program busy for minutes. */
export function withoutPatterns(schema: Schema): Schema {
  return rebuilt(schema, (part) => {
    const { pattern: _pattern, patternProperties: _byPattern, ...kept } = part;
    return kept;
  });
}

/** For models: with local references resolved, without keywords that only identify the schema. */
export function shownSchema(root: Schema): Schema {
  const { $schema: _dialect, $id: _id, id: _name, $defs, definitions, ...schema } = root;
  let parts = 0;
  const resolve = (part: Schema, depth: number): Schema => {
    parts += 1;
    if (parts > MAX_SHOWN_PARTS) return {};
    const { $ref, ...rest } = part;
    if (typeof $ref !== 'string') return eachInside(part, (inner) => resolve(inner, depth));
    const target = depth < MAX_REF_DEPTH ? localTarget(root, $ref) : undefined;
    const resolved = isRecord(target) ? resolve(target, depth + 1) : {};
    return { ...resolved, ...eachInside(rest, (inner) => resolve(inner, depth)) };
  };
  const shown = resolve(schema, 0);
  if (parts <= MAX_SHOWN_PARTS) return shown;
  return {
    ...schema,
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };
}

/** The target of a local reference (`#/properties/kind`); undefined if it does not exist. */
export function localTarget(root: unknown, pointer: string): unknown {
  if (!/^#(?:\/|$)/u.test(pointer)) return undefined;
  return pointerPath(pointer).reduce<unknown>((at, name) => {
    if (Array.isArray(at)) return at[Number(name)];
    return isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }, root);
}

/** The value of a keyword at a validator's schema path, which contains the `$ref`s that it followed. */
export function keywordValue(root: Schema, pointer: string): unknown {
  return pointerPath(pointer).reduce<unknown>((at, name) => {
    if (Array.isArray(at)) return at[Number(name)];
    if (!isRecord(at)) return undefined;
    return name === '$ref' && typeof at.$ref === 'string' ? localTarget(root, at.$ref) : at[name];
  }, root);
}

/** The names in a pointer: `#/a/b` is `a`, `b`. */
export function pointerPath(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function problemOf(schema: Schema, root: Schema): string | undefined {
  const types = [schema.type ?? []].flat();
  const strange = types.find((type) => typeof type !== 'string' || !TYPES.has(type));
  if (strange !== undefined) return `unknown type ${JSON.stringify(strange)}`;
  if (schema.required !== undefined && !isTextList(schema.required)) return '"required" must be a list of names';
  if (schema.properties !== undefined && !isRecord(schema.properties)) return '"properties" must be an object';
  if (schema.enum !== undefined && !Array.isArray(schema.enum)) return '"enum" must be a list';
  const { $ref } = schema;
  if ($ref !== undefined && !(typeof $ref === 'string' && isSchema(localTarget(root, $ref))))
    return `there is no ${JSON.stringify($ref)}`;
  const patterns = [
    schema.pattern ?? [],
    isRecord(schema.patternProperties) ? Object.keys(schema.patternProperties) : [],
  ];
  const wrong = patterns.flat().find((pattern) => !isPattern(pattern));
  return wrong === undefined ? undefined : `${JSON.stringify(wrong)} is not a regular expression`;
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isRecord(value);
}

function isPattern(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false;
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** The schema and all schemas in it, each with its place. */
function* partsOf(schema: Schema, at: string): Generator<{ schema: Schema; at: string }> {
  yield { schema, at };
  for (const keyword of INSIDE) {
    const value = schema[keyword];
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value])
      if (isRecord(each)) yield* partsOf(each, `${at}/${keyword}`);
  }
  for (const keyword of BY_NAME) {
    const named = schema[keyword];
    if (!isRecord(named)) continue;
    for (const [name, each] of Object.entries(named)) {
      if (!isSchema(each)) throw new TypeError(`${at}/${keyword}/${name}: this is not a schema`);
      if (isRecord(each)) yield* partsOf(each, `${at}/${keyword}/${name}`);
    }
  }
}

function rebuilt(schema: Schema, change: (part: Schema) => Schema): Schema {
  return eachInside(change(schema), (part) => rebuilt(part, change));
}

/** The same schema with each schema directly inside it changed. */
function eachInside(schema: Schema, change: (part: Schema) => Schema): Schema {
  const changed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(changed);
    return isRecord(value) ? change(value) : value;
  };
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (INSIDE.includes(keyword)) return [keyword, changed(value)];
      if (!BY_NAME.includes(keyword) || !isRecord(value)) return [keyword, value];
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, changed(each)]))];
    }),
  );
}
