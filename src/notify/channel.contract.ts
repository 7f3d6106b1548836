import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { createGateway } from '../net/gateway.ts';
import { NO_CHANNELS } from '../testing/no-channels.ts';
import { testNotifier } from '../testing/notifier.ts';
import type { ChannelDescriptor, Connection } from './channel.ts';
import { CHANNELS, type ChannelOptions, connectChannels } from './channels.ts';

/** A stand-in for a channel's service. */
export interface StandIn {
  /** What has to be set to reach it. */
  readonly options: Partial<ChannelOptions>;
  /** The texts that have arrived, oldest first. */
  arrived(): readonly string[];
  /** From now on nothing arrives any more. */
  fail(): void;
}

/** What every channel has to do, against a stand-in for its service; a new channel passes this before it is listed. */
export function channelContract(descriptor: ChannelDescriptor, startService: () => Promise<StandIn>): void {
  const { id, options: rows, maxLength } = descriptor;
  const connect = (service: Pick<StandIn, 'options'>): Connection => connectTo(descriptor, service);
  const send = (connection: Connection, text: string) => connection.send(text, new AbortController().signal);

  describe(`the channel "${id}"`, () => {
    test('is listed, and its options carry its name', () => {
      expect(CHANNELS).toContain(descriptor);
      expect(id).toMatch(/^[a-z][a-z0-9-]*$/u);
      for (const [name, row] of Object.entries(rows)) {
        expect(name.startsWith(id)).toBe(true);
        expect(row.key.startsWith(`${id}.`)).toBe(true);
        expect(row.env).toMatch(/^[A-Z][A-Z_]+$/u);
      }
    });

    test('needs options that it has', () => {
      expect(Object.keys(rows)).toEqual(
        expect.arrayContaining([...descriptor.needs.flat(), ...Object.keys(descriptor.fresh?.() ?? {})]),
      );
    });

    test('says what to set while it is not set up, and sends nothing', async () => {
      const connection = connect({ options: {} });
      const { configured, detail } = connection.health();
      expect(configured).toBe(false);
      expect(Object.values(rows).some(({ env }) => detail.includes(env))).toBe(true);
      expect(await send(connection, 'hello')).toMatchObject({ state: 'failed' });
    });

    test('a text arrives exactly as it was given, and is sent only then', async () => {
      const service = await startService();
      const connection = connect(service);
      expect(connection.health().configured).toBe(true);
      const texts = [
        'hello',
        '-x --help',
        'two\nlines\n\n  indented',
        '"quotes" \'and\' `ticks` $HOME %s \\n',
        'Grüße 👩‍🚀',
      ];
      for (const text of texts) expect(await send(connection, text)).toMatchObject({ state: 'sent' });
      expect(service.arrived()).toEqual(texts);
    });

    test.runIf(maxLength)('a longer text than it takes arrives in parts that fit', async () => {
      const service = await startService();
      const text = Array.from({ length: 700 }, (_, index) => `wörd${index}`).join(' ');
      const delivery = await (await testNotifier(service.options)).send(text, id);
      expect(delivery).toMatchObject({ channel: id, state: 'sent' });
      const parts = service.arrived();
      expect(parts.length).toBeGreaterThan(1);
      for (const part of parts) expect(maxLength?.measure(part)).toBeLessThanOrEqual(maxLength?.max ?? 0);
      expect(parts.map((part) => part.replace(/^\(\d+\/\d+\) /u, '')).join(' ')).toBe(text);
    });

    test('a service that fails is an outcome, never an exception and never "sent"', async () => {
      const service = await startService();
      service.fail();
      expect((await send(connect(service), 'hello')).state).not.toBe('sent');
      expect(service.arrived()).toEqual([]);
    });

    test('an attempt that is cancelled ends', async () => {
      const service = await startService();
      expect(await connect(service).send('hello', AbortSignal.abort())).toHaveProperty('state');
    });

    test('no secret shows in its health, its recipient or an outcome', async () => {
      const service = await startService();
      const connection = connect(service);
      const good = await send(connection, 'hello');
      service.fail();
      const seen = JSON.stringify([connection.health(), connection.recipient(), good, await send(connection, 'hello')]);
      const secrets = Object.entries(rows).filter(([, { kind }]) => kind === 'secret' || kind === 'secretUrl');
      for (const [name] of secrets) expect(seen).not.toContain(service.options[name as keyof ChannelOptions]);
    });

    test('the same settings give the same recipient, so that what waits in the outbox is still sent', async () => {
      const { options } = await startService();
      expect(connect({ options }).recipient()).toBe(connect({ options }).recipient());
      expect(connect({ options }).recipient()).not.toBe('');
    });
  });
}

function connectTo(descriptor: ChannelDescriptor, { options }: Pick<StandIn, 'options'>) {
  const gateway = createGateway({ allowPrivate: [], log: silentLog });
  onTestFinished(() => gateway.close());
  const channels = connectChannels({ ...NO_CHANNELS, ...options }, { gateway });
  const channel = channels.find(({ id }) => id === descriptor.id);
  if (!channel) throw new Error(`${descriptor.id} is not in the list of channels`);
  return channel;
}
