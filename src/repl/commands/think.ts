import type { Command, CommandCall } from '../command.ts';
import { badUsage } from '../flags.ts';
import { formOf } from '../own-words.ts';
import { check, compile, costReport, explain, fmt, lsp, run } from '../think/forms.ts';
import { add, list, remove, trust, untrust } from '../think/owned.ts';
import { repl } from '../think/repl.ts';
import { test } from '../think/test.ts';

type Form = (call: CommandCall) => Promise<number>;

const FORMS: Readonly<Record<string, Form>> = {
  ...{ add, check, compile, explain, fmt, list, lsp, remove, repl, run, test, trust, untrust },
  'cost-report': costReport,
};

const RUN_FLAGS = {
  arg: { type: 'string', multiple: true },
  'show-cost': { type: 'boolean' },
  'update-snapshots': { type: 'boolean' },
  replay: { type: 'boolean' },
  out: { type: 'string', short: 'o' },
} as const;

/** Programs in ThinkLang. The rows of each form are described with it. */
export const think: Command = {
  name: 'think',
  summary: 'Run, check and format ThinkLang programs',
  group: 'Programs',
  usage: [
    'think check FILE ... [--syntax]    what is wrong with programs; --syntax: only whether they can be read',
    'think run NAME [--arg NAME=VALUE ...] [--show-cost]    run a program: one of programs/ by its name, or a file',
    'think test [FILE | FOLDER ...] [--update-snapshots] [--replay]    run tests, with recorded answers',
    'think cost-report                  what programs have cost, by operation',
    'think repl                         try the language line by line; names and values stay',
    'think compile FILE [-o OUT]        a program as a module that Node runs, with its source map in OUT.map',
    'think fmt FILE ... [--check]       lay programs out the common way; --check: only say which are not',
    'think explain CODE                 what a code of "check" means, with an example',
    'think list | think trust NAME | think untrust NAME    programs in programs/ as tools of the assistant',
    'think add | think remove NAME      install three programs to start from; delete one (undo brings it back)',
    'think lsp                          serve an editor over stdin and stdout (a language server)',
  ],
  examples: ['think check brief.tl', 'think run brief.tl --arg city=Galway', 'think test --replay'],
  aliases: { program: [], programs: ['list'] },
  flags: { syntax: { type: 'boolean' }, check: { type: 'boolean' }, ...RUN_FLAGS },
  async run(call) {
    const [name = '', ...args] = call.args;
    if (name === '') throw badUsage('think needs a subcommand.', `Usage: ${think.usage.join(' | ')}`);
    return formOf(think, FORMS, name)({ ...call, args });
  },
};
