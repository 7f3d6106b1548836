import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { networkVolume, volumeOfType } from './network-volume.ts';

const FUSE = 0x65735546;
const MOUNTS = String.raw`overlay / overlay rw 0 0
me@host:/data /mnt/data fuse.sshfs rw 0 0
/dev/sdb1 /mnt/data/usb fuse.ntfs-3g rw 0 0
me@host:/ours /mnt/our\040files fuse.sshfs rw 0 0
`;

// The numbers are from linux/magic.h; ext4, btrfs, tmpfs and overlayfs are local.
test.each([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xff534d42 - 2 ** 32, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x5346414f, 'AFS'],
  [0x01021997, '9p'],
  [0x00c36400, 'Ceph'],
  [0xef53, undefined],
  [0x9123683e, undefined],
  [0x01021994, undefined],
  [0x794c7630, undefined],
])('a file system of type %i is %s', (type, volume) => {
  expect(volumeOfType(type, '/srv/home', () => '')).toBe(volume);
});

test.each([
  ['/mnt/data/home', 'fuse.sshfs'],
  ['/mnt/data/usb/home', undefined],
  ['/mnt/database', undefined],
  ['/mnt/our files/home', 'fuse.sshfs'],
])('of programs that serve files, the innermost mount of %s tells', (path, volume) => {
  expect(volumeOfType(FUSE, path, () => MOUNTS)).toBe(volume);
});

test('a folder that is not there yet is where its parents are', () => {
  expect(networkVolume(join(temporaryFolder(), 'not/yet/there'))).toBeUndefined();
});
