import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { withMailboxes } from './account.ts';

test('a connection that breaks before anybody speaks on it fails the call, and nothing else', async () => {
  const server = createServer((socket) => void socket.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const account = {
    ...{ imapHost: '127.0.0.1', imapPort: port, smtpHost: '127.0.0.1', smtpPort: port },
    ...{
      username: 'ann',
      password: 'secret',
      address: 'ann@example.com',
      tlsCa: import.meta.filename,
    },
    imapTls: 'always',
    dial: async () => {
      const socket = connect(port, '127.0.0.1');
      await new Promise((resolve) => socket.once('connect', resolve));
      setImmediate(() => socket.destroy(new Error('it was reset')));
      return socket;
    },
  } as const;
  const signal = AbortSignal.timeout(20_000);
  await expect(withMailboxes(account, signal, async () => 'read')).rejects.toThrow('127.0.0.1');
});
