import type { CommandCall } from '../command.ts';
import { badUsage } from '../flags.ts';

/** One form of the command `think`, such as `think check`; `args` begin after its name. @returns the exit code. */
export type ThinkForm = (call: CommandCall) => Promise<number>;

/** @throws AssistantError `bad_usage` when no file is given. */
export function requireFiles(args: readonly string[], form: string): void {
  if (args.length > 0) return;
  throw badUsage('The file is missing.', `wooster think ${form} FILE`);
}
