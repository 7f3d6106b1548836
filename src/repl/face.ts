/** The part of a face that the app needs; `main.ts` hands it to `createApp`. */
export interface Face {
  /** Show a message that no turn asked for (a reminder, the result of a job) without breaking the line being typed. */
  announce(text: string): void;
  /** `--verbose`: the log also goes to stderr. */
  readonly verbose: boolean;
}
