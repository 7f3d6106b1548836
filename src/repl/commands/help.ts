import type { Command, Output } from '../command.ts';
import { commandsFor, findCommand, type Place } from './table.ts';

const COMMON = [
  '--mode code_agent|classic_tools   how the model asks for actions',
  '--project NAME                    whose documents and notes are used',
  '-c, --conversation ID             go on with a conversation; an unknown one is started',
  '--json                            one JSON object per line on stdout, nothing else',
  '--yes                             approve what would be asked',
  '--home DIR                        where the data lies',
  '--verbose                         the log also goes to stderr',
];

export const help: Command = {
  name: 'help',
  summary: 'List the commands, or explain one',
  usage: ['help', 'help COMMAND'],
  async run({ args, place, out }) {
    const [name] = args;
    if (name === undefined) overview(place, out);
    else explain(await findCommand(name.replace(/^\//u, ''), place).load(), place, out);
    return 0;
  },
};

/** Every command of a place, one line each. */
export function overview(place: Place, out: Pick<Output, 'line' | 'row'>): void {
  if (place === 'argv')
    out.line('Usage: wooster [chat]            talk; reads piped lines too\n       wooster COMMAND ...');
  const prefix = place === 'slash' ? '/' : '';
  for (const { name, summary } of commandsFor(place)) {
    out.row({ name, summary });
    out.line(`  ${(prefix + name).padEnd(12)} ${summary}`);
  }
  if (place === 'argv') out.line(`Flags of every command:\n${COMMON.map((line) => `  ${line}`).join('\n')}`);
  else out.line('Anything else is a question. Ctrl-C cancels an answer; twice, or /quit, leaves.');
}

/** How one command is used. */
export function explain(command: Command, place: Place, out: Pick<Output, 'line' | 'row'>): void {
  const prefix = place === 'slash' ? '/' : 'wooster ';
  out.row({ name: command.name, summary: command.summary, usage: command.usage });
  out.line(`${command.summary}.`);
  for (const form of command.usage) out.line(`  ${prefix}${form}`);
  if (place === 'argv') out.line('"wooster help" lists the flags of every command.');
}
