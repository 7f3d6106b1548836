import { version } from '../../base/version.ts';
import { openLoopbackCallback } from '../../net/loopback-callback.ts';
import { type ConnectDeps, loginOf, remoteFetch, whyOf } from './connect.ts';
import { LoginByHand } from './login.ts';
import { warningsTo } from './sdk-warnings.ts';
import type { RemoteServer, ServerSettings } from './server-settings.ts';

/** How long a person has to log in. */
const PATIENCE_MS = 10 * 60_000;
const CONNECT_MS = 30_000;

/**
 * Have a person log in to a remote server: by authorization code with PKCE, and a page on this machine that their
 * browser is redirected to. An earlier login is replaced once the new one has succeeded.
 *
 * @param show  gets the URL that they open.
 * @throws Error that says why it did not come to its end.
 */
export async function logIn(
  { name, target }: ServerSettings,
  deps: ConnectDeps,
  { show, signal }: { readonly show: (address: URL) => void; readonly signal: AbortSignal },
): Promise<void> {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const remote = target as RemoteServer;
  const { url, loginDeps } = loginOf(name, remote, deps);
  const callback = await openLoopbackCallback(loginDeps.oauth.callbackPort);
  const login = new LoginByHand(loginDeps, { callback, url, show });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: remoteFetch(name, remote, deps),
    authProvider: login,
  });
  const client = new Client({ name: 'wooster', version: version() });
  try {
    const connecting = warningsTo(deps.log, () => client.connect(transport, { timeout: CONNECT_MS, signal }));
    const refusal = await connecting.then(() => undefined, whyOf);
    if (!login.isUnderWay) throw new Error(refusal ?? 'it asks nobody to log in');
    const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    const granted = await login.granted(patience);
    await warningsTo(deps.log, () => transport.finishAuth(granted));
  } finally {
    callback.close();
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
  }
}
