import { localTime, type ToolContext } from '#plugin';
import type { ListFile } from './list-file.ts';

/** The lists of Getting Things Done, each a Markdown file that its owner edits as well. */
export interface Lists {
  readonly inbox: ListFile;
  readonly next: ListFile;
  readonly waiting: ListFile;
  readonly someday: ListFile;
  /** A folder. */
  readonly archive: string;
  /** Changes in any of them can be undone. */
  readonly versioned: boolean;
}

/** Whether a tool is declared in this turn. */
export type Offer = (turn: { readonly text: string }) => boolean;

/** The owner's local time, in the format of the lists. */
export function stamp({ now, timeZone }: ToolContext): string {
  return localTime(now(), timeZone);
}

export function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
