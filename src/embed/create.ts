import { createApp } from '../app.ts';
import { AssistantError } from '../base/errors.ts';
import { readableTool } from '../plugins/readable-tool.ts';
import { EmbeddedAssistant } from './assistant.ts';
import { settingsFrom } from './settings.ts';
import type { Assistant, AssistantOptions } from './types.ts';

/**
 * Open an assistant inside another program: the same one that the terminal has, on a home of its own. It writes
 * nothing to the console, handles no signals and leaves globals and environment of the process alone.
 *
 * @throws AssistantError `bad_setting`, `bad_usage`, `plugin_broken`, or what keeps the home from being used.
 */
export async function createAssistant(options: AssistantOptions = {}): Promise<Assistant> {
  options.signal?.throwIfAborted();
  checkOptions(options);
  const settings = settingsFrom(options);
  const { plugins = [] } = options;
  const tools = await Promise.all((options.tools ?? []).map(readableTool));
  const announce = options.onMessage ?? refuseMessage;
  const app = await createApp(settings, { announce, verbose: false }, { tools, plugins });
  const assistant = new EmbeddedAssistant(app, settings, options);
  try {
    await assistant.open();
    return assistant;
  } catch (error) {
    await assistant.close();
    throw error;
  }
}

function checkOptions({ background, onMessage }: AssistantOptions): void {
  if (!background || onMessage) return;
  const hint = 'Pass onMessage, which gets reminders and the results of jobs, or leave background out.';
  throw new AssistantError('bad_usage', 'The option background needs onMessage.', { hint });
}

function refuseMessage(): never {
  const hint = 'Pass onMessage to createAssistant.';
  throw new AssistantError('not_sent', 'The embedding program takes no messages.', { hint });
}
