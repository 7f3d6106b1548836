import { requireNode } from './node-version.ts';
import type { Arguments, Assistant, AssistantOptions, ProgramOutcome, RunProgramOptions } from './types.ts';

/**
 * Open an assistant inside another program: the same one that the terminal has, on a home of its own. It writes
 * nothing to the console, handles no signals and leaves globals and environment of the process alone.
 *
 * Most of the program is loaded here, so that importing the library is quick.
 *
 * @throws AssistantError `bad_setting`, `bad_usage`, `plugin_broken`, or what keeps the home from being used.
 */
export async function createAssistant(options: AssistantOptions = {}): Promise<Assistant> {
  requireNode();
  options.signal?.throwIfAborted();
  return (await import('./create.ts')).createAssistant(options);
}

/**
 * Check and run a program in ThinkLang, on an assistant that is opened for it.
 *
 * @param path  a file, or the name of a program of the home: `morning-brief`.
 * @param given  the program's parameters by their names.
 * @throws AssistantError as `createAssistant`; `file_not_found`; `bad_usage` for arguments that do not fit;
 *   `program_failed` for a program with errors and for one that fails, with the line where it did.
 */
export async function runProgram(
  path: string,
  given: Arguments = {},
  options: RunProgramOptions = {},
): Promise<ProgramOutcome> {
  requireNode();
  return (await import('./run-program.ts')).runProgram(path, given, options);
}
