import { AssistantError } from '../../base/errors.ts';
import type { Command } from '../command.ts';

/**
 * One turn from the command line. All words form one question, so quotes are optional.
 * Rows: the events of the turn. Exit code: 0 answered, 1 failed or out of steps, 7 cut off, 130
 * cancelled.
 */
export const ask: Command = {
  name: 'ask',
  summary: 'Answer one question and exit',
  group: 'Ask',
  usage: ['ask "TEXT" [--mode code_agent|classic_tools] [-c ID] [--project NAME] [--json] [--yes]'],
  only: 'argv',
  async run(call) {
    const text = call.args.join(' ').trim();
    if (text === '') {
      throw new AssistantError('bad_usage', 'There is no question.', { hint: `Usage: wooster ${ask.usage[0]}` });
    }
    return call.ask(text);
  },
};
