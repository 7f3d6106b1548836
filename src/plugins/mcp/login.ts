import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { Redactor } from '../../base/redact.ts';
import { version } from '../../base/version.ts';
import type { LoopbackCallback } from '../../net/loopback-callback.ts';
import type { Login, LoginFile } from './login-file.ts';
import type { OAuthSettings } from './server-settings.ts';

export interface LoginDeps {
  readonly file: LoginFile;
  readonly redactor: Pick<Redactor, 'add'>;
  /** What the owner registered with the login service beforehand, if anything; variables are substituted. */
  readonly oauth: OAuthSettings;
}

/**
 * Our identity at a remote server, for the client of the MCP SDK, which does the rest: it finds the login service,
 * registers Wooster there, and renews what has expired.
 */
export class ServerLogin implements OAuthClientProvider {
  readonly #deps: LoginDeps;
  #login: Login;
  #verifier = '';
  /** Whether the file belongs to this login. */
  #isKept: boolean;

  constructor(deps: LoginDeps, login: Login) {
    this.#deps = deps;
    this.#login = login;
    this.#isKept = login.tokens !== undefined;
    this.#hide(login);
  }

  get redirectUrl(): string {
    return this.#login.redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    const { scope, clientSecret } = this.#deps.oauth;
    return {
      client_name: 'Wooster',
      software_version: version(),
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: clientSecret === undefined ? 'none' : 'client_secret_post',
      ...(scope !== undefined && { scope }),
    };
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    const { clientId, clientSecret } = this.#deps.oauth;
    const { client } = this.#now();
    if (clientId === undefined) return client;
    // Together with its login service, once that is known.
    const known = client?.client_id === clientId ? client : {};
    return { ...known, client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
  }

  saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    return this.#save({ client });
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#now().tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    return this.#save({ tokens });
  }

  /** A background connection has no person to log in. @throws Error always; an interactive login overrides it. */
  redirectToAuthorization(_address: URL): void {
    throw new Error('its login has expired');
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): Promise<void> {
    return this.#save({ discovery });
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#now().discovery;
  }

  /** Another process may have renewed the tokens that the service refuses from us; its tokens are kept. */
  async invalidateCredentials(what: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    const ours = this.#login;
    const { client, tokens, discovery, ...rest } = this.#now();
    const isNewer = tokens?.access_token !== ours.tokens?.access_token;
    await this.#save({
      ...rest,
      client: what === 'all' || what === 'client' ? undefined : client,
      tokens: (what === 'all' || what === 'tokens') && !isNewer ? undefined : tokens,
      discovery: what === 'all' || what === 'discovery' ? undefined : discovery,
    });
  }

  /** The current content of the file, unless it belongs to an earlier login. */
  #now(): Login {
    if (this.#isKept) this.#login = this.#deps.file.read() ?? this.#login;
    return this.#login;
  }

  /** An unfinished login leaves the file as it is. */
  async #save(part: Partial<Login>): Promise<void> {
    this.#login = { ...this.#now(), ...part };
    this.#hide(this.#login);
    this.#isKept ||= this.#login.tokens !== undefined;
    if (this.#isKept) await this.#deps.file.write(this.#login);
  }

  /** Redact the tokens from now on. */
  #hide({ tokens, client }: Login): void {
    for (const secret of [tokens?.access_token, tokens?.refresh_token, client?.client_secret])
      if (typeof secret === 'string') this.#deps.redactor.add(secret);
  }
}

interface ByHand {
  /** The redirect URL. */
  readonly callback: LoopbackCallback;
  /** The server's URL. */
  readonly url: string;
  /** Gets the URL that the person opens. */
  readonly show: (address: URL) => void;
}

/** A login that a person makes in their browser. */
export class LoginByHand extends ServerLogin {
  readonly #callback: LoopbackCallback;
  readonly #show: (address: URL) => void;
  #shown = false;

  constructor(deps: LoginDeps, { callback, url, show }: ByHand) {
    super(deps, { url, redirectUrl: callback.url });
    this.#callback = callback;
    this.#show = show;
  }

  /** Whether the login service has been looked up. */
  get isUnderWay(): boolean {
    return this.#shown;
  }

  state(): string {
    return this.#callback.state;
  }

  /** @throws Error for a URL that no browser should open. */
  override redirectToAuthorization(address: URL): void {
    const isSafe = address.protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(address.hostname);
    if (!isSafe || !/^https?:$/u.test(address.protocol))
      throw new Error(`its login page ${address.origin} is not https`);
    this.#shown = true;
    this.#show(address);
  }

  /** The authorization code from the redirect. @throws Error when the person or the service refused. */
  async granted(signal: AbortSignal): Promise<URLSearchParams> {
    const query = await this.#callback.visited(signal);
    const refusal = query.get('error');
    if (refusal !== null) throw new Error([refusal, query.get('error_description')].filter(Boolean).join(': '));
    return query;
  }
}
