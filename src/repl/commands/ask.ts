import { AssistantError } from '../../base/errors.ts';
import type { Command } from '../command.ts';

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
