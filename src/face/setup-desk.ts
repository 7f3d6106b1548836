import type { Health, Outcome } from '../notify/channel.ts';

/** Where the value of a variable comes from: the environment takes precedence over the home's `.env`. */
export type VariableSource = 'environment' | 'file' | undefined;

/** Where a home is, for whoever must not open it. */
export interface ServicePlaces {
  readonly dir: string;
  readonly logs: string;
  /** The program itself. */
  readonly checkout: string;
  /** The home that is used when none is named. */
  readonly usual: string;
}

/** What `wooster setup` needs besides the app. */
export interface SetupDesk {
  readonly places: ServicePlaces;
  /** The variables that are settings. */
  settingNames(): readonly string[];
  /** `.env` of the home. */
  readonly envFile: string;
  whereSet(variable: string): VariableSource;
  /** A model server on this machine; undefined when there is none, or the search for one is switched off. */
  findServer(): Promise<{ readonly baseUrl: string; readonly model: string } | undefined>;
  /** The chat models of a server; none when it does not list them. */
  modelsOf(baseUrl: string, apiKey: string | undefined): Promise<readonly string[]>;
  /**
   * Ask the model that a start with these variables would use for one word. No other model is tried instead.
   *
   * @param section  the provider whose settings the variables are.
   * @throws AssistantError that says why there was no answer.
   */
  tryModel(section: string, variables: Variables, call: { project: string; signal: AbortSignal }): Promise<string>;
  /**
   * What the channel would be after a start with these variables.
   *
   * @throws AssistantError `bad_setting` where nothing would start with them.
   */
  channelWith(channel: string, variables: Variables): Health & { readonly receives: boolean };
  /** Send a message by the channel that a start with these variables would have. */
  sendBy(
    channel: string,
    message: { readonly variables: Variables; readonly text: string; readonly signal: AbortSignal },
  ): Promise<Outcome>;
  /** What is left to do on the phone for that channel, if anything. */
  subscription(channel: string, variables: Variables): { readonly text: string; readonly url: string } | undefined;
}

/** Names and values of environment variables. */
export type Variables = Readonly<Record<string, string>>;
