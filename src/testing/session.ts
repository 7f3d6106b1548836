import type { Session } from '../repl/command.ts';

/** The session of a person at a terminal, in classic mode and the project `home`, before the first turn. */
export function testSession(changes: Partial<Session> = {}): Session {
  return {
    mode: 'classic_tools',
    project: 'home',
    conversationId: undefined,
    codeLog: false,
    showUsage: false,
    statusLine: true,
    ended: false,
    yes: false,
    json: false,
    interactive: true,
    ...changes,
  };
}
