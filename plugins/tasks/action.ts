/** A next action, as its line says: `@context +Project text due:2026-12-24 (Captured: …) (id: …)`, in any order. */
export interface Action {
  readonly text: string;
  readonly context?: string | undefined;
  readonly project?: string | undefined;
  /** `2026-12-24`. */
  readonly due?: string | undefined;
  /** Everything in brackets that this or another program stores there, unchanged. */
  readonly notes: readonly string[];
}

const CONTEXT = /(?<=^|\s)@([\p{L}\p{N}][\p{L}\p{N}_/-]*)/u;
const PROJECT = /(?<=^|\s)\+([\p{L}\p{N}][\p{L}\p{N}_/-]*)/u;
const DUE = /(?<=^|\s)due:(\d{4}-\d\d-\d\d)(?=\s|$)/u;
const NOTE = /\((?:Captured|Completed|Logged|Delegated\/Requested|id):[^()]*\)/gu;

/** Parse the text after the checkbox of a next action. */
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

/** The reverse: the action as text. */
export function writeAction({ text, context, project, due, notes }: Action): string {
  const parts = [context && `@${context}`, project && `+${project}`, text, due && `due:${due}`, ...notes];
  return parts.filter((part) => part).join(' ');
}

/** `at work` becomes `at-work`: a word that can follow `@` or `+`. */
export function tag(said: string | undefined): string | undefined {
  const word = said
    ?.trim()
    .replace(/^[@+]/u, '')
    .replace(/[^\p{L}\p{N}_/-]+/gu, '-')
    .replace(/^-+|-+$/gu, '');
  return word === '' ? undefined : word;
}
