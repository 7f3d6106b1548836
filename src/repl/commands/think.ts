import type { AssistantError } from '../../base/errors.ts';
import type { Command } from '../command.ts';
import { badUsage } from '../flags.ts';
import { unknownForm } from '../own-words.ts';
import type { ThinkForm } from '../think/form.ts';

/** The forms of `think`, each loaded when it is first used. */
const FORMS: Readonly<Record<string, () => Promise<ThinkForm>>> = {
  check: async () => (await import('../think/check.ts')).check,
  explain: async () => (await import('../think/explain.ts')).explain,
  compile: async () => (await import('../think/compile.ts')).compile,
  fmt: async () => (await import('../think/fmt.ts')).fmt,
  lsp: async () => (await import('../think/lsp.ts')).lsp,
  test: async () => (await import('../think/test.ts')).test,
  list: async () => (await import('../think/trust.ts')).list,
  trust: async () => (await import('../think/trust.ts')).trust,
  untrust: async () => (await import('../think/trust.ts')).untrust,
  'cost-report': async () => (await import('../think/cost-report.ts')).costReport,
  repl: async () => (await import('../think/repl.ts')).repl,
  run: async () => (await import('../think/run.ts')).run,
};

const RUN_FLAGS = {
  arg: { type: 'string', multiple: true },
  'show-cost': { type: 'boolean' },
  'update-snapshots': { type: 'boolean' },
  replay: { type: 'boolean' },
  out: { type: 'string', short: 'o' },
} as const;

/** Programs in ThinkLang. The rows of each form are described where it is. */
export const think: Command = {
  name: 'think',
  summary: 'Run, check and format ThinkLang programs',
  group: 'Programs',
  usage: [
    'think check FILE ... [--syntax]    what is wrong with programs; --syntax: only whether they can be read',
    'think run FILE [--arg NAME=VALUE ...] [--show-cost]    run a program',
    'think test [FILE | FOLDER ...] [--update-snapshots] [--replay]    run tests, with recorded answers',
    'think cost-report                  what programs have cost, by operation',
    'think repl                         try the language line by line; names and values stay',
    'think compile FILE [-o OUT]        the JavaScript of a program, with its source map in OUT.map',
    'think fmt FILE ... [--check]       lay programs out the common way; --check: only say which are not',
    'think explain CODE                 what a code of "check" means, with an example',
    'think list | think trust FILE | think untrust FILE    programs in programs/ as tools of the assistant',
    'think lsp                          serve an editor over stdin and stdout (a language server)',
  ],
  examples: ['think check brief.tl', 'think run brief.tl --arg city=Galway', 'think test --replay'],
  flags: { syntax: { type: 'boolean' }, check: { type: 'boolean' }, ...RUN_FLAGS },
  async run(call) {
    const [name = '', ...args] = call.args;
    const load = Object.hasOwn(FORMS, name) ? FORMS[name] : undefined;
    if (!load) throw name === '' ? nothingSaid() : unknownForm(think, name);
    const form = await load();
    return form({ ...call, args });
  },
};

function nothingSaid(): AssistantError {
  return badUsage('think needs a subcommand.', `Usage: ${think.usage.join(' | ')}`);
}
