/** Where a variable has its value from: the environment wins over `.env` of the home. */
export type VariableSource = 'environment' | 'file' | undefined;

/** What `wooster setup` needs of the program besides the usual. */
export interface SetupDesk {
  /** `.env` of the home. */
  readonly envFile: string;
  whereSet(variable: string): VariableSource;
  /** A model server on this machine; undefined where there is none, or looking for one is switched off. */
  findServer(): Promise<{ readonly baseUrl: string; readonly model: string } | undefined>;
  /** The chat models of a server; none when it does not say. */
  modelsOf(baseUrl: string, apiKey: string | undefined): Promise<readonly string[]>;
  /**
   * Ask the model that a start with these variables would use for a word. No other model is asked in its place.
   *
   * @param section  the provider whose settings the variables are.
   * @throws AssistantError that says why there was no answer.
   */
  tryModel(section: string, variables: Variables, call: { project: string; signal: AbortSignal }): Promise<string>;
}

/** Names and values of environment variables. */
export type Variables = Readonly<Record<string, string>>;
