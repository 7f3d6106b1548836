import type { Command } from '../command.ts';
import { conversationOf, lookingContext, lookingTurn } from '../conversation.ts';

export const context: Command = {
  name: 'context',
  summary: "Show what fills the model's window",
  usage: ['context [ID]'],
  async run(call) {
    const { out, app } = call;
    const report = await app.agent.context(lookingTurn(call, conversationOf(call)), lookingContext(call));
    out.row(report);
    const percent = (tokens: number) => `${((100 * tokens) / report.window).toFixed(1)} %`.padStart(7);
    out.line(`${report.model}: ${report.total} of ${report.window} tokens; summarised above ${report.threshold}.`);
    for (const { name, tokens, messages } of report.parts) {
      const count = messages > 1 ? ` (${messages} messages)` : '';
      out.line(`  ${name.padEnd(16)} ${String(tokens).padStart(8)} ${percent(tokens)}${count}`);
    }
    return 0;
  },
};
