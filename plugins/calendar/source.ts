/** A stretch of time. */
export interface Span {
  readonly from: Date;
  /** Not part of it. */
  readonly to: Date;
}

/** One iCalendar text as it is stored: a file, or an object on a server. */
export interface Stored {
  /** The calendar's name, for people. */
  readonly calendar: string;
  /** Where it is: a path or an address. */
  readonly ref: string;
  /** What the server says of its version. */
  readonly etag?: string | undefined;
  readonly text: string;
}

/** Where calendars are kept. */
export interface Source {
  /** What is changed there can be undone. */
  readonly versioned: boolean;
  /** What may hold events of that time, and what could not be read, in words. */
  read(span: Span): Promise<{ readonly stored: readonly Stored[]; readonly problems: readonly string[] }>;
  /** @param name without an ending; unique. */
  add(name: string, text: string): Promise<void>;
  /** Undefined removes it. @throws Error when it was changed by somebody else meanwhile. */
  replace(old: Stored, text: string | undefined): Promise<void>;
}
