import { AssistantError } from '../base/errors.ts';
import { nearest } from '../base/text.ts';
import type { CommandInfo, Place } from './command.ts';
import { badUsage } from './flags.ts';

/** The commands that can be used in a place, in the given order. */
export function commandsFor<T extends CommandInfo>(commands: readonly T[], place: Place): readonly T[] {
  return commands.filter(({ only }) => only === undefined || only === place);
}

/** The command that a word stands for; an alias puts `before` in front of what was typed after it. */
export interface Meant<T extends CommandInfo> {
  readonly command: T;
  readonly before: readonly string[];
}

/**
 * The command of that name or alias.
 *
 * @throws AssistantError `unknown_command` with the nearest match; `bad_usage` for a whole question without `ask`.
 */
export function findCommand<T extends CommandInfo>(commands: readonly T[], name: string, place: Place): Meant<T> {
  const names = namesOf(commands, place);
  const found = names.get(name);
  if (found) return found;
  if (place === 'argv' && /\s/u.test(name)) {
    throw badUsage('A question needs a command in front of it.', 'wooster ask "..."');
  }
  const prefix = place === 'slash' ? '/' : '';
  // `chat` has no file in commands/: it is the REPL itself.
  const guess = nearest(name, [...names.keys(), ...(place === 'argv' ? ['chat'] : [])]);
  const list = place === 'slash' ? '/help' : 'wooster help';
  throw new AssistantError('unknown_command', `Unknown command "${prefix}${name}".`, {
    hint: guess ? `Did you mean "${prefix}${guess}"?` : `"${list}" lists the commands.`,
  });
}

/** Commands by all the words that stand for them. */
function namesOf<T extends CommandInfo>(commands: readonly T[], place: Place): ReadonlyMap<string, Meant<T>> {
  const usable = commandsFor(commands, place);
  const names = usable.map((command) => [command.name, { command, before: [] }] as const);
  const aliases = usable.flatMap((command) =>
    Object.entries(command.aliases ?? {}).map(([alias, before]) => [alias, { command, before }] as const),
  );
  return new Map([...names, ...aliases]);
}
