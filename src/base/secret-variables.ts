import { pattern } from './pattern.ts';
import { Redactor } from './redact.ts';

/** `PWD` and `OLDPWD` are folders that a shell works in. */
const SECRET_NAME = pattern(
  'iu',
  '(?:(?:^|_)(?:(?:api|access|auth|private|secret)?_?(?:key|token|secret|code|pin)|pg_?pass|pass|pass(?:w(?:or)?d',
  '|phrase|code|key)|jwt|bearer|cookies?|auth(?:orization)?|signature|salt|seed|dsn|connection_string',
  '|(?:web)?hook(?:_ur[il])?|credentials?|creds)|_pwd)$',
);
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

/** The last words of a program that has no redactor, or has none any more, without the values of secret variables. */
export function crashText(text: string, env: NodeJS.ProcessEnv = process.env): string {
  return new Redactor(secretVariables(env)).redact(text);
}
