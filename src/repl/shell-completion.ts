import { MODE_SETTINGS } from '../base/turn.ts';
import type { CommandInfo } from './command.ts';
import { commandsFor } from './command-list.ts';
import { COMMON_FLAGS } from './flags.ts';
import { ownWords } from './own-words.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A command as a shell completes it. */
interface Completed {
  readonly name: string;
  readonly summary: string;
  /** Its subcommands: `list`, `add`. */
  readonly words: readonly string[];
  /** Its own flags, with their dashes. */
  readonly flags: readonly string[];
}

interface Table {
  readonly commands: readonly Completed[];
  /** Flags of every command. */
  readonly flags: readonly string[];
  /** Flags that a value follows. */
  readonly valued: readonly string[];
}

const WRITERS: Readonly<Record<Shell, (table: Table) => string>> = { bash, zsh, fish };

/** A script that completes `wooster` in a shell. It starts no process when Tab is pressed, so it is instant. */
export function shellCompletion(shell: Shell, all: readonly CommandInfo[]): string {
  const usable = commandsFor(all, 'argv');
  const valued = new Set<string>();
  const dashed = (flags: CommandInfo['flags'] = {}) =>
    Object.entries(flags).map(([name, { type }]) => {
      if (type === 'string') valued.add(`--${name}`);
      return `--${name}`;
    });
  const commands = usable.map((command) => {
    const { name, summary, flags } = command;
    return { name, summary, words: ownWords(command), flags: dashed(flags) };
  });
  const flags = dashed(COMMON_FLAGS);
  return WRITERS[shell]({ commands, flags, valued: [...valued, '-c'] });
}

function bash({ commands, flags, valued }: Table): string {
  const cases = commands.map(({ name, words, flags: own }) => {
    return `    ${name}) words='${words.join(' ')}' flags="$flags ${own.join(' ')}" ;;`;
  });
  return `# Completes wooster in bash: source this file, or keep it as
# ~/.local/share/bash-completion/completions/wooster
_wooster() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= first=0 i
  local words='${commands.map(({ name }) => name).join(' ')}' flags='${flags.join(' ')}'
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
    ${valued.join('|')}) ((i++)) ;;
    -*) ;;
    *) command=\${COMP_WORDS[i]} first=$i; break ;;
    esac
  done
  case $prev in
    --mode) COMPREPLY=($(compgen -W '${MODE_SETTINGS.join(' ')}' -- "$cur")); return ;;
    ${valued.filter((flag) => flag !== '--mode').join('|')}) return ;;
  esac
  case $command in
    '') ;;
${cases.join('\n')}
    *) words= ;;
  esac
  ((first > 0 && COMP_CWORD > first + 1)) && words=
  [[ $cur == -* ]] && words=$flags
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
# Where nothing else fits, files do.
complete -o default -F _wooster wooster
`;
}

function zsh({ commands, flags, valued }: Table): string {
  const described = commands.map(({ name, summary }) => `    '${name}:${quoted(summary)}'`);
  const cases = commands.map(({ name, words, flags: own }) => {
    return `    (${name}) args=(${words.join(' ')}); flags+=(${own.join(' ')}) ;;`;
  });
  return `#compdef wooster
# Completes wooster in zsh: keep this file as _wooster in a folder of your $fpath, or source it.
_wooster() {
  local command i
  local -i first=0
  local -a args flags commands
  flags=(${flags.join(' ')})
  commands=(
${described.join('\n')}
  )
  for ((i = 2; i < CURRENT; i++)); do
    case $words[i] in
      (${valued.join('|')}) ((i++)) ;;
      (-*) ;;
      (*) command=$words[i]; first=$i; break ;;
    esac
  done
  case $words[CURRENT-1] in
    (--mode) compadd -- ${MODE_SETTINGS.join(' ')}; return ;;
    (${valued.filter((flag) => flag !== '--mode').join('|')}) _files; return ;;
  esac
  case $command in
    ('') [[ $PREFIX == -* ]] || { _describe command commands; return } ;;
${cases.join('\n')}
  esac
  [[ $PREFIX == -* ]] && { compadd -- $flags; return }
  ((CURRENT == first + 1 && $#args > 0)) && compadd -- $args
  _files
}
if [[ $funcstack[1] == _wooster ]]; then _wooster "$@"; else compdef _wooster wooster; fi
`;
}

function fish({ commands, flags, valued }: Table): string {
  const flagLine = (flag: string, when = '') => {
    const value = flag === '--mode' ? ` -x -a '${MODE_SETTINGS.join(' ')}'` : valued.includes(flag) ? ' -r' : '';
    return `complete -c wooster${when} -l ${flag.slice(2)}${value}`;
  };
  const lines = commands.flatMap(({ name, summary, words, flags: own }) => {
    const within = ` -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c wooster -n __fish_use_subcommand -f -a ${name} -d '${quoted(summary)}'`,
      ...(words.length > 0 ? [`complete -c wooster${within} -a '${words.join(' ')}'`] : []),
      ...own.map((flag) => flagLine(flag, within)),
    ];
  });
  const about = '# Completes wooster in fish: keep this file as ~/.config/fish/completions/wooster.fish';
  return `${[about, ...flags.map((flag) => flagLine(flag)), ...lines].join('\n')}\n`;
}

/** Within single quotes. */
function quoted(text: string): string {
  return text.replaceAll("'", '’').replaceAll(':', ' -');
}
