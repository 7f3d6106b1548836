import type { Span } from '#plugin';

/** One iCalendar text as it is stored: a file, or an object on a server. */
export interface Stored {
  /** The calendar's name, for people. */
  readonly calendar: string;
  /** Its path or URL. */
  readonly ref: string;
  /** The server's ETag. */
  readonly etag?: string | undefined;
  readonly text: string;
}

/** Where calendars are stored. */
export interface Source {
  /** Changes there can be undone. */
  readonly versioned: boolean;
  /** The calendars that may have events in that period, and messages about unreadable ones. */
  read(span: Span): Promise<{ readonly stored: readonly Stored[]; readonly problems: readonly string[] }>;
  /** @param name without an ending; unique. */
  add(name: string, text: string): Promise<void>;
  /** Undefined removes it. @throws Error when somebody else has changed it in the meantime. */
  replace(old: Stored, text: string | undefined): Promise<void>;
}
