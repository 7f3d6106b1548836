import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { createGateway } from '../net/gateway.ts';
import { takeDials } from './dials.ts';
import { webServer } from './web-server.ts';

test('a connection past net/ does not come about and is noted', async () => {
  await expect(fetch('http://93.184.216.34/')).rejects.toThrow();
  const socket = connect(443, '93.184.216.34');
  await new Promise((resolve) => socket.once('error', resolve));
  expect(takeDials()).toEqual([
    { target: '93.184.216.34:80', allowed: false },
    { target: '93.184.216.34:443', allowed: false },
  ]);
});

test('a connection of the gateway is known as such', async () => {
  const gateway = createGateway({ allowPrivate: [], log: silentLog });
  const asked = gateway.request({ url: 'http://93.184.216.34/', caller: 'x', signal: new AbortController().signal });
  await expect(asked).rejects.toMatchObject({ code: 'egress_failed' });
  expect(takeDials()).toEqual([{ target: '93.184.216.34:80', allowed: true }]);
  await gateway.close();
});

test('loopback is free', async () => {
  const server = await webServer((_, response) => response.end('ok'));
  expect(await (await fetch(server.origin)).text()).toBe('ok');
  expect(takeDials()).toEqual([]);
});
