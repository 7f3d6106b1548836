import { parseEnv } from 'node:util';
import { AssistantError } from '../../base/errors.ts';
import type { Variables } from '../../face/setup-desk.ts';

/**
 * The text of an `.env` file with these variables set. Each replaces its own line or comes at the end; all other lines
 * stay as they are.
 *
 * @throws AssistantError `bad_setting` when that fails because the file has a value of several lines.
 */
export function withVariables(text: string, variables: Variables): string {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const [name, value] of Object.entries(variables)) {
    const at = lines.findLastIndex((line) => /^\s*(?:export\s+)?([^=]*)/u.exec(line)?.[1]?.trim() === name);
    lines.splice(at < 0 ? lines.length : at, at < 0 ? 0 : 1, `${name}=${quoted(name, value)}`);
  }
  const changed = `${lines.join('\n')}\n`;
  if (!isSame(parseEnv(changed), { ...parseEnv(text), ...variables })) {
    throw new AssistantError('bad_setting', '.env cannot be changed without touching its other lines.', {
      hint: `Set ${Object.keys(variables).join(' and ')} there by hand.`,
    });
  }
  return changed;
}

/**
 * The text of an `.env` file without these variables.
 *
 * @throws AssistantError `bad_setting` as `withVariables`.
 */
export function withoutVariables(text: string, names: readonly string[]): string {
  const nameOf = (line: string) => /^(?:export\s+)?([^=#]*)=/u.exec(line.trim())?.[1]?.trim() ?? '';
  const changed = text
    .split('\n')
    .filter((line) => !names.includes(nameOf(line)))
    .join('\n');
  const wanted = Object.entries(parseEnv(text)).filter(([name]) => !names.includes(name));
  if (isSame(parseEnv(changed), Object.fromEntries(wanted))) return changed;
  throw new AssistantError('bad_setting', '.env cannot be changed without touching its other lines.', {
    hint: `Remove ${names.join(' and ')} there by hand.`,
  });
}

/** Quoted only if necessary, and then so that nothing in it is special. */
function quoted(name: string, value: string): string {
  if (/^[\w.:/@+,~-]*$/u.test(value)) return value;
  const quote = ["'", '"', '`'].find((each) => !value.includes(each));
  if (quote !== undefined && !/[\p{Cc}\\]/u.test(value)) return `${quote}${value}${quote}`;
  throw new AssistantError('bad_setting', `The value of ${name} has characters that .env cannot hold.`, {
    hint: `Set ${name} in the environment instead.`,
  });
}

function isSame(found: NodeJS.Dict<string>, wanted: NodeJS.Dict<string>): boolean {
  const names = new Set([...Object.keys(found), ...Object.keys(wanted)]);
  return [...names].every((name) => found[name] === wanted[name]);
}
