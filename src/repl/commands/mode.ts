import type { AssistantError } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import { modeOf } from '../../base/turn.ts';
import type { Command, CommandCall } from '../command.ts';
import { badUsage, parseModeSetting } from '../flags.ts';

const MEANING = {
  classic_tools: 'the model calls tools one by one',
  code_agent: 'the model writes scripts that call the tools',
  auto: 'each model in the mode that has worked for it, by `wooster eval` and `wooster usage --modes`',
} as const;

/** Changes the mode for this session only; CHAT_MODE sets it for good. Row: `{mode}`. */
export const mode: Command = {
  name: 'mode',
  summary: 'Show or change how the model acts: by tool calls or by scripts',
  group: 'Ask',
  usage: ['mode', 'mode code', 'mode tools', 'mode auto'],
  examples: ['mode code', 'mode auto'],
  only: 'slash',
  async run({ args, session, out }) {
    if (args[0] !== undefined) Object.assign(session, { autoMode: false, ...modeOf(parseModeSetting(args[0])) });
    const shown = session.autoMode ? 'auto' : session.mode;
    out.show({ mode: shown }, `Mode ${shown}: ${MEANING[shown]}.`);
    return 0;
  },
};

const MAX_ATTEMPTS = 20;

/** Settings of code mode until the program ends. Row: `{log, attempts}`. */
export const code: Command = {
  name: 'code',
  summary: 'Show scripts while they run, or change how many may fail',
  group: 'Ask',
  usage: ['code', 'code log on|off', 'code attempts N'],
  examples: ['code log on', 'code attempts 3'],
  only: 'slash',
  async run(call) {
    const [what, value] = call.args;
    if (what === 'log') setLog(call, value);
    else if (what === 'attempts') setAttempts(call, value);
    else if (what !== undefined) throw usageError(`Unknown subcommand "code ${what}".`);
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
  app.turns.code.knobs.maxAttempts = attempts;
}

function show({ app, session, out }: CommandCall): void {
  const { maxAttempts } = app.turns.code.knobs;
  out.row({ log: session.codeLog, attempts: maxAttempts });
  const log = session.codeLog ? 'Scripts and their logs are shown.' : 'Scripts are hidden; logs/scripts/ has them.';
  out.line(`${log} After ${counted(maxAttempts, 'failed script')} in a row, the turn falls back to tool calls.`);
}

function usageError(message: string): AssistantError {
  return badUsage(message, 'Use code, code log on|off or code attempts N.');
}
