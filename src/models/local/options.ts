/** What the settings say about models of our own process. */
export interface LocalOptions {
  /** Window that they are given, in tokens. */
  readonly contextTokens: number;
  /** How long an unused model stays in memory. */
  readonly idleMinutes: number;
  readonly threads: number | undefined;
  /** Let models that can do so think aloud before they answer. */
  readonly thinking: boolean;
}
