import type { CommandCall } from '../command.ts';

/** One form of the command `think`, such as `think check`; `args` begin behind its name. @returns the exit code. */
export type ThinkForm = (call: CommandCall) => Promise<number>;
