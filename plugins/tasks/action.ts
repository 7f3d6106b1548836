/** A next action, as its line says: `@context +Project text due:2026-12-24 (Captured: …) (id: …)`, in any order. */
export interface Action {
  readonly text: string;
  readonly context?: string | undefined;
  readonly project?: string | undefined;
  /** `2026-12-24`. */
  readonly due?: string | undefined;
  /** Everything in brackets that the program or another one keeps there, as it stands. */
  readonly notes: readonly string[];
}

const CONTEXT = /(?<=^|\s)@([\p{L}\p{N}][\p{L}\p{N}_/-]*)/u;
const PROJECT = /(?<=^|\s)\+([\p{L}\p{N}][\p{L}\p{N}_/-]*)/u;
const DUE = /(?<=^|\s)due:(\d{4}-\d\d-\d\d)(?=\s|$)/u;
const NOTE = /\((?:Captured|Completed|Logged|Delegated\/Requested|id):[^()]*\)/gu;

/** What stands behind the box of a next action. */
export function readAction(line: string): Action {
  const rest = line.replace(NOTE, ' ');
  const text = [CONTEXT, PROJECT, DUE].reduce((left, part) => left.replace(part, ' '), rest);
  return {
    text: text.replace(/\s+/gu, ' ').trim(),
    context: CONTEXT.exec(rest)?.[1],
    project: PROJECT.exec(rest)?.[1],
    due: DUE.exec(rest)?.[1],
    notes: line.match(NOTE) ?? [],
  };
}

/** The same, written out. */
export function writeAction({ text, context, project, due, notes }: Action): string {
  const parts = [context && `@${context}`, project && `+${project}`, text, due && `due:${due}`, ...notes];
  return parts.filter((part) => part).join(' ');
}

/** `at work`, `@at-work`: a word that can stand behind `@` or `+`. */
export function tag(said: string | undefined): string | undefined {
  const word = said
    ?.trim()
    .replace(/^[@+]/u, '')
    .replace(/[^\p{L}\p{N}_/-]+/gu, '-')
    .replace(/^-+|-+$/gu, '');
  return word === '' ? undefined : word;
}
