import { expect, test } from 'vitest';
import { refuseNetworkVolume } from './network-volume.ts';

test('SQLite is refused on a network volume, with the reason', () => {
  const refusing = () => refuseNetworkVolume('/srv/home/state/w.sqlite3', () => 'NFS');
  expect(refusing).toThrow(
    expect.objectContaining({
      code: 'store_unavailable',
      message: '/srv/home/state/w.sqlite3 is on a network volume (NFS).',
      hint: expect.stringContaining('WOOSTER_STORE_URL'),
    }),
  );
  refuseNetworkVolume(':memory:', () => 'NFS');
  refuseNetworkVolume('/srv/home/state/w.sqlite3', () => undefined);
});
