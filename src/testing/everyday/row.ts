/** An everyday request, said on Friday 20 November 2026 at 11:25 in Berlin, and what is right. */
export interface Row {
  readonly said: string;
  /** Requests made before it, in the same conversation and project. */
  readonly before: readonly string[];
  /** The tool that it calls; none: it is answered, or a question is asked back. */
  readonly tool: string | undefined;
  readonly answer: RegExp;
}

type Short = readonly [said: string, tool: string, answer: RegExp, ...before: string[]];

/** Rows as they are written down: request, tool or `-`, answer, requests before it. */
export function rows(table: readonly Short[]): Row[] {
  return table.map(([said, tool, answer, ...before]) => ({
    said,
    before,
    tool: tool === '-' ? undefined : tool,
    answer,
  }));
}
