import { AssistantError } from '../../base/errors.ts';
import type { Command, CommandCall } from '../command.ts';

const MAX_ATTEMPTS = 20;

/** `/code`, `/code log on|off`, `/code attempts N`. */
export const code: Command = {
  name: 'code',
  summary: 'Show scripts while they run, or change how often they may fail',
  usage: ['code', 'code log on|off', 'code attempts N'],
  only: 'slash',
  async run(call) {
    const [what, value] = call.args;
    if (what === 'log') setLog(call, value);
    else if (what === 'attempts') setAttempts(call, value);
    else if (what !== undefined) throw usageError(`"code ${what}" is not known.`);
    show(call);
    return 0;
  },
};

function setLog({ session }: CommandCall, value: string | undefined): void {
  if (value !== 'on' && value !== 'off') throw usageError('code log needs "on" or "off".');
  session.codeLog = value === 'on';
}

function setAttempts({ app }: CommandCall, value: string | undefined): void {
  const attempts = Number(value);
  if (!Number.isInteger(attempts) || attempts < 1 || attempts > MAX_ATTEMPTS) {
    throw usageError(`code attempts needs a number from 1 to ${MAX_ATTEMPTS}.`);
  }
  app.code.knobs.maxAttempts = attempts;
}

function show({ app, session, out }: CommandCall): void {
  const { maxAttempts } = app.code.knobs;
  out.row({ log: session.codeLog, attempts: maxAttempts });
  const log = session.codeLog ? 'Scripts and their logs are shown.' : 'Scripts are not shown; logs/scripts/ has them.';
  out.line(`${log} After ${maxAttempts} failed scripts in a row the turn falls back to tool calls.`);
}

function usageError(message: string): AssistantError {
  return new AssistantError('bad_usage', message, { hint: 'Use code, code log on|off or code attempts N.' });
}
