import { OutsideCalls } from '../agent/outside-calls.ts';
import type { CommandCall } from './command.ts';

/** Calls of tools by a command, through the gate like any other. @param conversationId a new one unless given. */
export function commandCalls({ app, session, signal, approve }: CommandCall, conversationId?: string): OutsideCalls {
  const { project, mode } = session;
  return new OutsideCalls({
    ...{ store: app.store, toolbox: app.tools.toolbox, origin: 'cli', mode, project, conversationId },
    context: () => ({
      ...{ signal, now: () => new Date(), timeZone: app.home.timeZone },
      show: () => {},
      approve: (request) => approve(request),
    }),
  });
}
