import type { Assistant, AssistantOptions } from './types.ts';

/**
 * Open an assistant inside another program: the same one that the terminal has, on a home of its own. It writes
 * nothing to the console, handles no signals and leaves globals and environment of the process alone.
 *
 * Most of the program is loaded here, so that importing the library is quick.
 *
 * @throws AssistantError `bad_setting`, `bad_usage`, `plugin_broken`, or what keeps the home from being used.
 */
export async function createAssistant(options: AssistantOptions = {}): Promise<Assistant> {
  options.signal?.throwIfAborted();
  return (await import('./create.ts')).createAssistant(options);
}
