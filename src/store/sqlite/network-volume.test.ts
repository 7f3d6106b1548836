import { expect, test, vi } from 'vitest';
import { refuseNetworkVolume } from './network-volume.ts';

const system = vi.hoisted(() => ({ type: 0, mounts: '' }));
vi.mock('node:fs', async (original) => ({
  ...(await original<typeof import('node:fs')>()),
  statfsSync: () => ({ type: system.type }),
  readFileSync: () => system.mounts,
}));

const EXT4 = 0xef53;
const FUSE = 0x65735546;
const MOUNTS = `
/dev/sda1 / ext4 rw 0 0
me@there: /usr fuse.sshfs rw 0 0
/dev/sdb1 /usr/bin fuse.ntfs-3g rw 0 0
`;

test.skipIf(process.platform !== 'linux').each([
  ['/tmp/w.sqlite3', EXT4, undefined],
  ['/tmp/w.sqlite3', 0x6969, 'NFS'],
  ['/tmp/not/there/yet/w.sqlite3', 0xff534d42, 'CIFS'],
  ['/usr/w.sqlite3', FUSE, 'fuse.sshfs'],
  ['/usr/bin/w.sqlite3', FUSE, undefined],
  ['/usrfiles/w.sqlite3', FUSE, undefined],
  [':memory:', 0x6969, undefined],
])('%s on a file system of type %i', (path, type, refused) => {
  Object.assign(system, { type, mounts: MOUNTS });
  const check = () => refuseNetworkVolume(path);
  if (refused === undefined) expect(check).not.toThrow();
  else expect(check).toThrow(`${path} is on a network volume (${refused}).`);
});
