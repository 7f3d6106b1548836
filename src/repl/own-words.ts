import { AssistantError } from '../base/errors.ts';
import { nearest } from '../base/text.ts';
import type { CommandInfo } from './command.ts';
import { COMMANDS } from './commands.gen.ts';
import { nextOf } from './edit/complete.ts';

/** The words that can stand behind a command, such as `list` and `add`, in the order of its forms. */
export function ownWords({ usage }: Pick<CommandInfo, 'usage'>): readonly string[] {
  const words = usage.flatMap((form) => nextOf(form, []));
  return [...new Set(words.filter((word) => /^[a-z][a-z-]*$/u.test(word)))];
}

/** The form of a command that a word names. @throws AssistantError `bad_usage` for any other word. */
export function formOf<T>(
  command: Pick<CommandInfo, 'name' | 'usage'>,
  forms: Readonly<Record<string, T>>,
  word: string,
): T {
  const form = Object.hasOwn(forms, word) ? forms[word] : undefined;
  if (form === undefined) throw unknownForm(command, word);
  return form;
}

/** The error for an unknown subcommand: names a command of that name or the nearest subcommand, else all of them. */
export function unknownForm(command: Pick<CommandInfo, 'name' | 'usage'>, word: string): AssistantError {
  const { name } = command;
  const words = ownWords(command);
  const near = nearest(word, words);
  const isCommand = COMMANDS.some((each) => each.name === word || Object.hasOwn(each.aliases ?? {}, word));
  const guess = isCommand ? word : near && `${name} ${near}`;
  return new AssistantError('bad_usage', `Unknown subcommand "${name} ${word}".`, {
    hint: guess ? `Did you mean "${guess}"?` : `Use one of ${words.join(', ')}.`,
  });
}
