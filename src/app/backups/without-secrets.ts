import { isRecord } from '../../base/json.ts';
import type { Redactor } from '../../base/redact.ts';
import { isSecretName } from '../../base/secret-variables.ts';

/** What is known of secrets. */
export interface SecretNames {
  readonly redactor: Pick<Redactor, 'hideKnown'>;
  /** Whether a variable, or the dotted key of a setting, holds one by our own table of settings. */
  isSecret(name: string): boolean;
}

/** A text without secrets, and the names of what was left out. */
export interface Cleaned {
  readonly text: string;
  readonly left: readonly string[];
}

const ASSIGNMENT = /^\s*(?:export\s+)?([A-Za-z_][\w.]*)\s*=\s*(["'`]?)/u;
const AUTHORIZATION = /authorization$/iu;

/** A `.env` file: secret variables become comments that say what has to be set again. */
export function envWithoutSecrets(text: string, { redactor, isSecret }: SecretNames): Cleaned {
  const left: string[] = [];
  const lines: string[] = [];
  /** The quote that ends a secret value of several lines. */
  let until: string | undefined;
  for (const line of text.split('\n')) {
    if (until !== undefined) {
      if (line.includes(until)) until = undefined;
      continue;
    }
    const [start, name = '', quote = ''] = ASSIGNMENT.exec(line) ?? [];
    if (start === undefined || !(isSecret(name) || isSecretName(name))) {
      lines.push(line);
      continue;
    }
    if (quote !== '' && !line.slice(start.length).includes(quote)) until = quote;
    // An empty one has nothing to hide.
    if (line.trimEnd().endsWith('=')) lines.push(line);
    else {
      left.push(name);
      lines.push(`# ${name}= was left out of the backup: set it again.`);
    }
  }
  return { text: redactor.hideKnown(lines.join('\n')), left };
}

/** A JSON file of settings: fields that hold secrets are left out. A text that is no JSON is left out as a whole. */
export function jsonWithoutSecrets(text: string, { redactor, isSecret }: SecretNames): Cleaned {
  const left: string[] = [];
  const clean = (value: unknown, path: readonly string[]): unknown => {
    if (typeof value === 'string') return redactor.hideKnown(value);
    if (Array.isArray(value)) return value.map((each, index) => clean(each, [...path, String(index)]));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, each]) => {
        const key = [...path, name].join('.');
        const hides = isSecret(key) || isSecretName(name) || AUTHORIZATION.test(name);
        if (hides && typeof each === 'string') left.push(key);
        return hides && typeof each === 'string' ? [] : [[name, clean(each, [...path, name])]];
      }),
    );
  };
  try {
    return { text: `${JSON.stringify(clean(JSON.parse(text), []), undefined, 2)}\n`, left };
  } catch {
    return { text: '{}\n', left: ['all of it, since it cannot be read'] };
  }
}
