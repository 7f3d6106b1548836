import { COMMAND_GROUPS, type CommandInfo, type Output, type Place } from './command.ts';
import { commandsFor } from './command-list.ts';

/** Flags of every command, and what they do. */
export const COMMON_FLAG_LINES = [
  '--mode code_agent|classic_tools   how the model acts: by scripts, by tool calls; auto: as suits it',
  '--project NAME                    whose documents and notes to use',
  '-c, --conversation ID             continue a conversation, or start one under a new ID',
  '--json                            print one JSON object per line to stdout, nothing else',
  '--yes                             approve whatever needs approval',
  '--home DIR                        where your data is kept',
  '--verbose                         also write the log to stderr',
  '--plain                           for screen readers: nothing is drawn twice, no colours, no box characters',
];

/** The commands of a place, one line each, by group: all, or those of the first week. */
export function overview(
  commands: readonly CommandInfo[],
  { place, all }: { readonly place: Place; readonly all: boolean },
  out: Pick<Output, 'line' | 'show'>,
): void {
  if (place === 'argv')
    out.line('Usage: wooster [chat]            talk; reads piped lines, too\n       wooster COMMAND ...');
  const usable = commandsFor(commands, place).filter(({ basic }) => all || basic);
  for (const heading of COMMAND_GROUPS) {
    const members = usable.filter(({ group }) => group === heading);
    if (members.length > 0) out.line(`${heading}:`);
    for (const { name, summary } of members) {
      out.show({ name, summary }, `  ${((place === 'slash' ? '/' : '') + name).padEnd(12)} ${summary}`);
    }
  }
  const help = place === 'slash' ? '/help' : 'wooster help';
  out.line(`${all ? '' : `"${help} all" lists the other commands, `}"${help} COMMAND" explains one.`);
  if (place === 'argv' && all)
    out.line(`Flags of every command:\n${COMMON_FLAG_LINES.map((line) => `  ${line}`).join('\n')}`);
  out.line('"Save this as a program" keeps what was just done: "run NAME" does it again, mostly without a model.');
  if (place === 'slash')
    out.line('Anything else is a question. Ctrl-C cancels an answer; press it twice, or type /quit, to leave.');
}

/** How one command is used. */
export function explain(command: CommandInfo, place: Place, out: Pick<Output, 'line' | 'show'>): void {
  const { name, summary, usage, examples } = command;
  out.show({ name, summary, usage, examples }, `${summary}.`);
  for (const form of usage) out.line(`  ${prefixOf(form, place)}${form}`);
  out.line(examples.length === 1 ? 'Example:' : 'Examples:');
  for (const example of examples) out.line(`  ${prefixOf(example, place)}${example}`);
  for (const line of aliasLine(command)) out.line(line);
  if (place === 'argv') out.line('"wooster help all" lists the flags of every command.');
}

/** Other words that the command has, in one line, if any. */
export function aliasLine({ name, aliases = {} }: CommandInfo): string[] {
  const meanings = Object.entries(aliases).map(([alias, before]) => `"${alias}" is "${[name, ...before].join(' ')}"`);
  return meanings.length === 0 ? [] : [`Short: ${meanings.join(', ')}.`];
}

/** The prefix of a form or an example; one that begins with another program has none. */
export function prefixOf(form: string, place: Place): string {
  if (form.includes('| wooster ')) return '';
  return place === 'slash' ? '/' : 'wooster ';
}
