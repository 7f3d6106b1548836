import { z } from 'zod';
import { messageOf } from '../base/errors.ts';

/**
 * One setting, described once: config/default.json, the environment mapping, .env.example and docs/config.md are
 * generated from it (`npm run generate`). Add one to a file in slices/; keys and variables never change.
 */
export interface Setting<T> {
  /** Dotted key in the config files. */
  readonly key: string;
  readonly env: string;
  /** Legacy names of the variable that users may still have set. */
  readonly aliases: readonly string[];
  readonly schema: z.ZodType<T>;
  readonly default: T;
  /** Which values are allowed, for docs and error hints. */
  readonly form: string;
  /** What it is for: a sentence with a full stop. */
  readonly about: string;
  /** What happens when it is not set; continues `Without it: `, without a full stop. */
  readonly without: string;
  readonly secret: boolean;
}

/** What every setting says about itself; the docs and `.env.example` are printed from it. */
interface Description<T> {
  readonly key: string;
  readonly env: string;
  readonly aliases?: readonly string[];
  readonly default: T;
  readonly about: string;
  readonly without: string;
}

/** Free text; empty means not set. */
export function text(description: Description<string | undefined>): Setting<string | undefined> {
  return make(description, z.string().trim().min(1).optional(), 'text');
}

/** Text that always has a value. */
export function word(description: Description<string>): Setting<string> {
  return make(description, z.string().trim().min(1), 'text');
}

/** A key or token: redacted everywhere, never shown. */
export function secret(description: Description<string | undefined>): Setting<string | undefined> {
  return { ...make(description, z.string().trim().min(1).optional(), 'text, secret'), secret: true };
}

/** An http or https URL. */
export function url(description: Description<string | undefined>): Setting<string | undefined> {
  const schema = z.url({ protocol: /^https?$/u, error: 'must be an http or https URL' }).optional();
  return make(description, schema, 'http or https URL');
}

/** A URL that is itself a secret, like a webhook. */
export function secretUrl(description: Description<string | undefined>): Setting<string | undefined> {
  return { ...url(description), secret: true };
}

/** The URL of a PostgreSQL database; a secret, since it may hold a password. */
export function postgresUrl(description: Description<string | undefined>): Setting<string | undefined> {
  const schema = z.url({ protocol: /^postgres(?:ql)?$/u, error: 'must be a PostgreSQL URL' }).optional();
  return { ...make(description, schema, 'PostgreSQL URL, secret'), secret: true };
}

/** A whole number that always has a value. */
export function integer(description: Description<number> & { min: number; max: number }): Setting<number> {
  const { min, max } = description;
  return make(description, z.coerce.number().int().min(min).max(max), `whole number from ${min} to ${max}`);
}

/** A whole number, or unset. */
export function optionalInteger(
  description: Description<number | undefined> & { min: number; max: number },
): Setting<number | undefined> {
  const { min, max } = description;
  return make(description, z.coerce.number().int().min(min).max(max).optional(), `whole number from ${min} to ${max}`);
}

/** A number, or unset. */
export function decimal(
  description: Description<number | undefined> & { min: number; max: number },
): Setting<number | undefined> {
  const { min, max } = description;
  return make(description, z.coerce.number().min(min).max(max).optional(), `number from ${min} to ${max}`);
}

/** True or false; `1`, `yes`, `on` and their opposites are accepted. */
export function flag(description: Description<boolean>): Setting<boolean> {
  return make(description, z.preprocess(toBoolean, z.boolean()), 'true or false');
}

/** One of a fixed list of words, in any case. */
export function choice<const T extends string>(
  description: Description<NoInfer<T>> & {
    values: readonly T[];
    /** Legacy values in lower case, and what each means now. */
    older?: Readonly<Record<string, NoInfer<T>>>;
  },
): Setting<T> {
  const { values, older = {} } = description;
  const inAnyCase = (raw: string) => values.find((value) => value.toLowerCase() === raw.toLowerCase()) ?? raw;
  const schema = z.preprocess(
    (raw) => (typeof raw === 'string' ? (older[raw.toLowerCase()] ?? inAnyCase(raw)) : raw),
    z.enum(values),
  );
  return make(description, schema as unknown as z.ZodType<T>, values.join(' | '));
}

/** The tiers of the router. The legacy tier `router`, the smallest of three, means `fast` now. */
const TIERS: ReadonlyMap<string, string> = new Map([
  ['fast', 'fast'],
  ['thinking', 'thinking'],
  ['router', 'fast'],
]);

/** The model that a kind of task gets: one of the two local tiers, or a model by name. */
export function rule(description: Description<string | undefined>): Setting<string | undefined> {
  const schema = z
    .string()
    .trim()
    .transform((value) => TIERS.get(value.toLowerCase()) ?? value)
    .refine((value) => TIERS.has(value) || /^[\w.-]+:\S+$/u.test(value), 'must be fast, thinking or provider:model')
    .optional();
  return make(description, schema, 'fast | thinking | provider:model');
}

/** A comma-separated list. */
export function list(description: Description<readonly string[]>): Setting<readonly string[]> {
  return make(description, z.preprocess(toList, z.array(z.string()).readonly()), 'comma-separated list');
}

/**
 * A value in a small grammar, or unset.
 *
 * @param description.read  @throws Error whose message says what is wrong.
 */
export function parsed<T>(
  description: Description<T | undefined> & { readonly form: string; readonly read: (written: unknown) => T },
): Setting<T | undefined> {
  const { form, read } = description;
  const schema = z.unknown().transform((written, context) => {
    if (written === undefined) return undefined;
    try {
      return read(written);
    } catch (error) {
      context.addIssue({ code: 'custom', message: messageOf(error) });
      return z.NEVER;
    }
  });
  return make(description, schema, form);
}

function make<T>(description: Description<T>, schema: z.ZodType<T>, form: string): Setting<T> {
  const { key, env, aliases = [], about, without } = description;
  return { key, env, aliases, schema, default: description.default, form, about, without, secret: false };
}

const YES = new Set(['true', '1', 'yes', 'on']);
const NO = new Set(['false', '0', 'no', 'off']);

/** Variables are text: `yes`, `on` and `1` are true. Anything else is left for the schema to refuse. */
function toBoolean(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw;
  const lower = raw.trim().toLowerCase();
  return YES.has(lower) ? true : NO.has(lower) ? false : raw;
}

/** Variables hold lists with commas; config files hold arrays. */
function toList(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw;
  return raw
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
