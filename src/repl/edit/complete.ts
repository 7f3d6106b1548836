import type { Completion, Completions } from '../prompt/state.ts';

/** What can be completed by looking it up. */
export type ValueKind = 'project' | 'model' | 'conversation' | 'schedule' | 'channel' | 'file' | 'command';

/** A command as far as completion knows it. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly usage: readonly string[];
  readonly flags: readonly string[];
  /** Aliases, each with the words that it puts in front of the arguments. */
  readonly aliases?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Where completions come from. */
export interface CompletionSources {
  readonly commands: readonly CompletedCommand[];
  /** Flags of every command. */
  readonly flags: readonly string[];
  values(kind: ValueKind): Promise<readonly Completion[]>;
}

const MAX_ITEMS = 50;
/** What a placeholder of a usage line stands for; a few differ between commands. */
const PLACEHOLDERS: Readonly<Record<string, ValueKind>> = {
  ...{ 'project NAME': 'project', 'models NAME': 'model', 'schedule ID': 'schedule', 'approvals JOB': 'schedule' },
  ...{ 'resume ID': 'conversation', 'context ID': 'conversation', 'sessions ID': 'conversation' },
  ...{ 'help COMMAND': 'command', CHANNEL: 'channel', 'PATH...': 'file', PATH: 'file', FILE: 'file' },
};
const FLAG_VALUES: Readonly<Record<string, ValueKind | readonly string[]>> = {
  ...{ '--project': 'project', '--conversation': 'conversation', '-c': 'conversation', '--to': 'channel' },
  ...{ '--mode': ['classic_tools', 'code_agent'] },
};

/** What the word at the cursor can become: a command, its arguments and flags, or a file after `@`. */
export async function complete(
  text: string,
  cursor: number,
  sources: CompletionSources,
): Promise<Completions | undefined> {
  const head = text.slice(0, cursor);
  const file = /(?:^|\s)@([^\s@]*)$/u.exec(head)?.[1];
  if (file !== undefined) return files(file, cursor, sources);
  const start = /^\/(\S*)$/u.exec(head)?.[1];
  if (start !== undefined) return items(sources.commands.map(nameItem), `/${start}`, cursor);
  const [, name = '', words = ''] = /^\/(\S+)\s(.*)$/su.exec(head) ?? [];
  const command = sources.commands.find((entry) => entry.name === name || entry.aliases?.[name]);
  const before = command?.aliases?.[name] ?? [];
  return command && completeArgument(command, [...before, words].join(' '), cursor, sources);
}

function nameItem({ name, summary }: CompletedCommand): Completion {
  return { value: `/${name} `, note: summary };
}

async function files(typed: string, cursor: number, sources: CompletionSources): Promise<Completions | undefined> {
  const found = await sources.values('file');
  return items(
    found.map(({ value, note }) => ({ value: `@${value} `, note })),
    `@${typed}`,
    cursor,
  );
}

async function completeArgument(
  command: CompletedCommand,
  words: string,
  cursor: number,
  sources: CompletionSources,
): Promise<Completions | undefined> {
  const before = words.split(/\s+/u).filter(Boolean);
  const word = /\S*$/u.exec(words)?.[0] ?? '';
  if (word !== '') before.pop();
  const flag = before.at(-1) ?? '';
  const ofFlag = FLAG_VALUES[flag];
  if (ofFlag !== undefined) return items(await lookUp([ofFlag].flat(), sources), word, cursor);
  if (word.startsWith('-')) {
    const flags = [...command.flags, ...sources.flags].map((value) => ({ value: `${value} ` }));
    return items(flags, word, cursor);
  }
  const position = before.filter((part) => !part.startsWith('-'));
  const expected = command.usage.flatMap((form) => nextOf(form, position));
  const kinds = expected.map((part) => PLACEHOLDERS[`${command.name} ${part}`] ?? PLACEHOLDERS[part] ?? part);
  return items(await lookUp([...new Set(kinds)], sources), word, cursor);
}

/** What a usage line expects behind `words`: its words in small letters are literal, `a|b` is a choice. */
export function nextOf(form: string, words: readonly string[]): string[] {
  const [, ...parts] =
    form
      .split(/\s{2,}/u, 1)[0]
      ?.replaceAll(/[[\]]/gu, '')
      .split(' ') ?? [];
  const plain = parts.filter((part, index) => !part.startsWith('-') && !parts[index - 1]?.startsWith('--'));
  for (const [index, word] of words.entries()) {
    const choices = plain[index]?.split('|') ?? [];
    if (!choices.some((choice) => choice === word || /^[A-Z]/u.test(choice))) return [];
  }
  return plain[words.length]?.split('|') ?? [];
}

async function lookUp(wanted: readonly string[], sources: CompletionSources): Promise<Completion[]> {
  const kinds = new Set<string>(Object.values(PLACEHOLDERS));
  const lists = await Promise.all(
    wanted.map(async (part): Promise<readonly Completion[]> => {
      if (kinds.has(part)) return (await sources.values(part as ValueKind)).map(spaced);
      return /^[a-z]/u.test(part) ? [{ value: `${part} ` }] : [];
    }),
  );
  return lists.flat();
}

function spaced({ value, note }: Completion): Completion {
  return { value: `${value} `, note };
}

/** Prefix matches first, then words that contain the typed letters in order. */
function items(all: readonly Completion[], typed: string, cursor: number): Completions | undefined {
  const wanted = typed.toLowerCase();
  const starting = all.filter(({ value }) => value.toLowerCase().startsWith(wanted));
  const rest = all.filter((item) => !starting.includes(item) && hasInOrder(item.value.toLowerCase(), wanted));
  const found = [...starting, ...rest].slice(0, MAX_ITEMS);
  return found.length === 0 ? undefined : { from: cursor - typed.length, items: found };
}

function hasInOrder(text: string, letters: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return letters.length > 1;
}
