import { z } from 'zod';
import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { type Schema, toSchema } from '../../tools/signature.ts';
import {
  checkJsonSchema,
  keywordValue,
  localTarget,
  pointerPath,
  shownSchema,
  withoutPatterns,
} from './json-schema.ts';

export interface SchemaOptions {
  /** Pass on the value unparsed: its owner parses it again, which would apply defaults twice. */
  readonly original?: boolean;
  /** Not written by the owner: its regular expressions are not run. */
  readonly foreign?: boolean;
  /** The schema is for a result, which may be anything; an input has fields. */
  readonly anyValue?: boolean;
}

/** One problem with a value, at a path. */
interface Issue {
  readonly message: string;
  readonly path: readonly PropertyKey[];
}

/** The parsed value, or its problems. */
type Verdict = { readonly value: unknown } | { readonly issues: readonly Issue[] };

type Judge = (value: unknown) => Verdict;

/** `~standard` of the Standard Schema specification: https://standardschema.dev */
interface Standard {
  validate(value: unknown): unknown;
  readonly jsonSchema?: { input(options: { target: string }): unknown };
}

/**
 * Convert any schema that authors use into zod 4, the program's one form: zod 4 itself, zod 3, a Standard Schema that
 * can print itself (Valibot, ArkType), or a JSON Schema.
 *
 * @throws TypeError when it cannot be used: not a schema, a broken one, an asynchronous one, or one that does not take
 *   an object, which is all that models can give.
 */
export async function adaptSchema(schema: unknown, options: SchemaOptions = {}): Promise<z.ZodType> {
  const adapted = await adaptedAs(schema, options);
  const shown = toSchema(adapted, 'input');
  if (options.anyValue) return adapted;
  const types = [shown.type ?? 'object'].flat();
  if (!types.includes('object')) throw new TypeError(`it takes ${types.join(' or ')}, not an object with fields`);
  return adapted;
}

async function adaptedAs(schema: unknown, options: SchemaOptions): Promise<z.ZodType> {
  if (isZod4(schema)) {
    refuseAsync(schema['~standard']);
    return options.original ? judgedBy(standardJudge(schema['~standard']), toSchema(schema, 'input'), true) : schema;
  }
  const standard = standardOf(schema);
  if (standard) {
    refuseAsync(standard);
    const shown = standard.jsonSchema?.input({ target: 'draft-2020-12' }) ?? (await zod3Schema(schema));
    return judgedBy(standardJudge(standard), asSchema(shown), options.original ?? false);
  }
  const raw = asSchema(schema);
  checkJsonSchema(raw);
  const checked = options.foreign ? withoutPatterns(raw) : raw;
  return judgedBy(await jsonSchemaJudge(checked), checked, true);
}

/** @param original pass on the value as it came, instead of the judge's version. */
function judgedBy(judge: Judge, schema: Schema, original: boolean): z.ZodType {
  const shown = z.unknown().meta(shownSchema(schema));
  const tell = (value: unknown, context: z.RefinementCtx): Verdict => {
    const verdict = guarded(judge, value);
    const issues = 'issues' in verdict ? verdict.issues : [];
    for (const { message, path } of issues) context.addIssue({ code: 'custom', message, path: [...path] });
    return verdict;
  };
  if (original) {
    return z
      .unknown()
      .superRefine((value, context) => void tell(value, context))
      .meta(shownSchema(schema));
  }
  return shown.transform((value, context) => {
    const verdict = tell(value, context);
    return 'value' in verdict ? verdict.value : z.NEVER;
  });
}

/** A judge that throws rejects the value; the program continues. */
function guarded(judge: Judge, value: unknown): Verdict {
  try {
    return judge(value);
  } catch (error) {
    return { issues: [{ message: `cannot be checked: ${messageOf(error)}`, path: [] }] };
  }
}

function standardJudge(standard: Standard): Judge {
  return (value) => {
    const result = standard.validate(value);
    if (result instanceof Promise) return { issues: [{ message: 'its schema answers too late', path: [] }] };
    // ArkType's result is a list of issues that refers to itself as `issues`.
    const { issues, value: read } = result as { issues?: Iterable<unknown>; value?: unknown };
    return issues === undefined ? { value: read } : { issues: [...issues].map(issueOf) };
  };
}

function issueOf(raw: unknown): Issue {
  const { message, path } = isRecord(raw) ? raw : {};
  const steps = Array.isArray(path) ? (path as unknown[]) : [];
  return {
    message: String(message ?? 'is not valid'),
    path: steps.map((step) => (isRecord(step) ? step.key : step) as PropertyKey),
  };
}

/** The validator is loaded for the first JSON Schema. @throws TypeError for one that it cannot work with. */
async function jsonSchemaJudge(schema: Schema): Promise<Judge> {
  const { Validator } = await import('@cfworker/json-schema');
  const draft = /draft-0[467]/u.test(String(schema.$schema ?? '')) ? '7' : '2020-12';
  const validator = new Validator(schema, draft, false);
  const judge: Judge = (value) => {
    const { valid, errors } = validator.validate(value);
    if (valid) return { value };
    const issues = errors
      .filter(({ keyword }) => !AROUND.has(keyword))
      .flatMap((error) => issuesOf(error, schema, value));
    // The validator reports all missing fields again for each of them.
    return { issues: [...new Map(issues.map((issue) => [JSON.stringify(issue), issue])).values()] };
  };
  judge({});
  return judge;
}

/** These only say that something inside them is wrong, which is reported there. */
const AROUND = new Set(['properties', 'items', 'prefixItems', '$ref', 'allOf', 'additionalProperties']);

interface ValidatorError {
  readonly keyword: string;
  readonly keywordLocation: string;
  readonly instanceLocation: string;
  readonly error: string;
}

function issuesOf(error: ValidatorError, schema: Schema, value: unknown): Issue[] {
  const path = pointerPath(error.instanceLocation);
  const names = error.keyword === 'required' ? keywordValue(schema, error.keywordLocation) : undefined;
  if (error.keyword === 'false') return [{ message: 'unknown field', path }];
  if (!Array.isArray(names)) return [{ message: error.error.replace(/\.$/u, ''), path }];
  const given = localTarget(value, error.instanceLocation);
  const missing = names.map(String).filter((name) => isRecord(given) && !Object.hasOwn(given, name));
  return missing.map((name) => ({ message: 'missing', path: [...path, name] }));
}

/** LangChain is only loaded for zod 3, which cannot describe itself as JSON Schema. */
async function zod3Schema(schema: unknown): Promise<unknown> {
  if (!isZod3(schema)) throw new TypeError('it cannot be printed as JSON Schema; give one in that form');
  const { toJsonSchema } = await import('@langchain/core/utils/json_schema');
  return toJsonSchema(schema as never);
}

/** @throws TypeError for an asynchronous schema: the gate decides before anything else happens. */
function refuseAsync(standard: Standard): void {
  const isLate = () => {
    try {
      return standard.validate({}) instanceof Promise;
    } catch {
      return true;
    }
  };
  if (isLate()) throw new TypeError('it validates asynchronously, which is not supported');
}

function asSchema(value: unknown): Schema {
  if (!isRecord(value)) throw new TypeError('it has no usable schema');
  return value;
}

function isZod4(value: unknown): value is z.ZodType {
  return typeof value === 'object' && value !== null && '_zod' in value && '~standard' in value;
}

function isZod3(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '_def' in value && !('_zod' in value);
}

/** Some libraries' schemas are functions. */
function standardOf(value: unknown): Standard | undefined {
  const holds = (typeof value === 'object' && value !== null) || typeof value === 'function';
  const standard: unknown = holds ? Reflect.get(value, '~standard') : undefined;
  if (standard === undefined && isZod3(value)) return olderZod3(value);
  return isRecord(standard) && typeof standard.validate === 'function' ? (standard as unknown as Standard) : undefined;
}

/** zod before 3.24 has no `~standard`. */
function olderZod3(schema: unknown): Standard {
  const { safeParse } = schema as { safeParse(value: unknown): { data?: unknown; error?: { issues: unknown[] } } };
  return {
    validate: (value) => {
      const { data, error } = safeParse.call(schema, value);
      return error ? { issues: error.issues } : { value: data };
    },
  };
}
