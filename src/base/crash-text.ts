import { Redactor } from './redact.ts';
import { secretVariables } from './secret-variables.ts';

/** The last words of a program whose parts are not there (yet or any more): no value of a secret variable is in them. */
export function crashText(text: string, env: NodeJS.ProcessEnv = process.env): string {
  return new Redactor(secretVariables(env)).redact(text);
}
