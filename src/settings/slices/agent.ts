import { MODE_SETTINGS, MODE_SHORT } from '../../base/turn.ts';
import { choice, flag, integer, optionalInteger } from '../setting.ts';

/** The loop of a turn in classic mode, and what both modes share. */
export const agent = {
  chatMode: choice({
    key: 'chatMode',
    env: 'CHAT_MODE',
    values: MODE_SETTINGS,
    older: MODE_SHORT,
    default: 'classic_tools',
    about: 'How the model acts: by tool calls, by JavaScript that calls the tools, or as each model works best (auto).',
    without: 'classic_tools is used; /mode changes it for a session',
  }),
  maxIterations: integer({
    key: 'agent.maxIterations',
    env: 'AGENT_MAX_ITERATIONS',
    default: 50,
    min: 1,
    max: 1000,
    about: 'Maximum number of model calls in one classic turn.',
    without: '50',
  }),
  maxContinuations: integer({
    key: 'agent.maxContinuations',
    env: 'AGENT_MAX_CONTINUATIONS',
    default: 3,
    min: 0,
    max: 20,
    about: 'How many times to ask for the rest of an answer that the length limit of the model cut off.',
    without: '3; after that the answer is marked as cut off',
  }),
  contextWindowTokens: optionalInteger({
    key: 'agent.contextWindowTokens',
    env: 'CONTEXT_WINDOW_TOKENS',
    default: undefined,
    min: 1024,
    max: 100_000_000,
    about: 'Context window of the model in tokens; overrides the known one.',
    without: 'what the server says or the known window of the model, else 32768',
  }),
};

/** Limits of the scripts of code mode; times in ms, memory in MB. */
export const codeAgent = {
  maxAttempts: integer({
    key: 'codeAgent.maxAttempts',
    env: 'CODE_AGENT_MAX_ATTEMPTS',
    default: 2,
    min: 1,
    max: 20,
    about: 'Failed scripts in a row after which the turn falls back to classic mode.',
    without: '2',
  }),
  maxIterations: integer({
    key: 'codeAgent.maxIterations',
    env: 'CODE_AGENT_MAX_ITERATIONS',
    default: 10,
    min: 1,
    max: 200,
    about: 'Maximum number of scripts in one turn.',
    without: '10',
  }),
  stepTimeoutMs: integer({
    key: 'codeAgent.stepTimeoutMs',
    env: 'CODE_AGENT_STEP_TIMEOUT_MS',
    default: 20_000,
    min: 100,
    max: 3_600_000,
    about: 'Time limit of one script in ms, including its tool calls.',
    without: '20000',
  }),
  totalTimeoutMs: integer({
    key: 'codeAgent.totalTimeoutMs',
    env: 'CODE_AGENT_TOTAL_TIMEOUT_MS',
    default: 60_000,
    min: 100,
    max: 3_600_000,
    about: 'Time limit of all scripts of one turn together in ms.',
    without: '60000',
  }),
  memoryLimitMb: integer({
    key: 'codeAgent.memoryLimitMb',
    env: 'CODE_AGENT_MEMORY_LIMIT_MB',
    default: 128,
    min: 16,
    max: 4096,
    about: 'Memory limit of one script in MB.',
    without: '128',
  }),
  maxOutputLength: integer({
    key: 'codeAgent.maxOutputLength',
    env: 'CODE_AGENT_MAX_OUTPUT_LENGTH',
    default: 10_000,
    min: 200,
    max: 1_000_000,
    about: 'Maximum length in characters of a result that goes back to the model.',
    without: '10000',
  }),
  strictFormat: flag({
    key: 'codeAgent.strictFormat',
    env: 'CODE_AGENT_STRICT_FORMAT',
    default: false,
    about: 'Treat prose without code as a failed attempt instead of the answer.',
    without: 'prose is the answer',
  }),
  log: flag({
    key: 'codeAgent.log',
    env: 'CODE_AGENT_DEBUG',
    default: false,
    about: 'Show scripts and their logs while they run.',
    without: 'scripts go to the trace only; /code log on shows them',
  }),
};
