import { AssistantError } from '../base/errors.ts';
import { nearest } from '../base/text.ts';
import type { CommandInfo, Place } from './command.ts';

/** The commands that can be used in a place, in the given order. */
export function commandsFor<T extends CommandInfo>(commands: readonly T[], place: Place): readonly T[] {
  return commands.filter(({ only }) => only === undefined || only === place);
}

/**
 * The command of that name.
 *
 * @throws AssistantError `unknown_command` with the nearest match; `bad_usage` for a whole question without `ask`.
 */
export function findCommand<T extends CommandInfo>(commands: readonly T[], name: string, place: Place): T {
  const usable = commandsFor(commands, place);
  const found = usable.find((entry) => entry.name === name);
  if (found) return found;
  if (place === 'argv' && /\s/u.test(name)) {
    throw new AssistantError('bad_usage', 'A question needs a command in front of it.', { hint: 'wooster ask "..."' });
  }
  const prefix = place === 'slash' ? '/' : '';
  // `chat` has no file in commands/: it is the REPL itself.
  const names = [...usable.map((entry) => entry.name), ...(place === 'argv' ? ['chat'] : [])];
  const guess = nearest(name, names);
  const list = place === 'slash' ? '/help' : 'wooster help';
  throw new AssistantError('unknown_command', `Unknown command "${prefix}${name}".`, {
    hint: guess ? `Did you mean "${prefix}${guess}"?` : `"${list}" lists the commands.`,
  });
}
