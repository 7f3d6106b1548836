import { Redactor } from './redact.ts';

/** `PWD` and `OLDPWD` are folders that a shell works in. */
const SECRET_NAME = /(?:(?:^|_)(?:key|apikey|token|secret|pass(?:w(?:or)?d|phrase)?|webhook_url|credentials?)|_pwd)$/iu;
const MIN_CHARS = 8;

/**
 * Values of environment variables whose names mark them as secret, including those of plugins and other programs.
 * Values under eight characters are left out: hiding them would hide ordinary words.
 */
export function secretVariables(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value && value.length >= MIN_CHARS && SECRET_NAME.test(name) ? [value] : [],
  );
}

/** Whether a variable or a field with this name holds a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** The last words of a program that has no redactor, or has none any more, without the values of secret variables. */
export function crashText(text: string, env: NodeJS.ProcessEnv = process.env): string {
  return new Redactor(secretVariables(env)).redact(text);
}
