import { expect, test } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { Redactor } from '../../base/redact.ts';
import { webServer } from '../../testing/web-server.ts';
import { remoteFetch } from './connect.ts';

test('what is set for a server reaches that server, and no login service that it names', async () => {
  const [own, login] = [await webServer(answer), await webServer(answer)];
  const headers = { 'x-key': 'key-of-the-server', accept: 'text/plain' };
  const way = remoteFetch(
    'far',
    { kind: 'http', url: `${own.origin}/mcp`, headers, oauth: {} },
    {
      ...{ homeDir: '/nowhere', env: {}, log: silentLog, redactor: new Redactor() },
      ...{ fetchFor: () => fetch, publicFetch: () => fetch },
    },
  );
  for (const { origin } of [own, login]) await way(`${origin}/`, { headers: { accept: 'application/json' } });
  expect(own.received[0]?.headers).toMatchObject({ 'x-key': 'key-of-the-server', accept: 'application/json' });
  expect(login.received[0]?.headers).not.toHaveProperty('x-key');
});

function answer(_request: unknown, response: { end(): void }): void {
  response.end();
}
