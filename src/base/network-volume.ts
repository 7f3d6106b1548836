import { existsSync, readFileSync, realpathSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Linux's magic numbers of network file systems: see statfs(2). */
const NETWORK = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x5346414f, 'AFS'],
  [0x01021997, '9p'],
  [0x00c36400, 'Ceph'],
]);
/** FUSE: some of these file systems are local, so the type of the mount has to tell. */
const FUSE = 0x65735546;
const NETWORK_FUSE = /^fuse\.(?:sshfs|s3fs|rclone|glusterfs|gcsfuse|goofys|davfs2|ceph-fuse|curlftpfs)$/u;

/**
 * The type of the network volume that a file or folder is on, or would be on; undefined for a local disk, and on
 * systems other than Linux. Changes that other machines make on such a volume cause no events on this one.
 */
export function networkVolume(path: string): string | undefined {
  if (process.platform !== 'linux') return undefined;
  let there = resolve(path);
  while (!existsSync(there)) there = dirname(there);
  return volumeOfType(statfsSync(there).type, realpathSync(there), () => readFileSync('/proc/self/mounts', 'utf8'));
}

/** @param type from statfs(2). @param mounts the text of `/proc/self/mounts`. */
export function volumeOfType(type: number, path: string, mounts: () => string): string | undefined {
  // On systems with 32-bit numbers, the larger ones come out negative.
  const known = type >>> 0;
  return known === FUSE ? networkFuse(path, mounts()) : NETWORK.get(known);
}

/** Of nested mounts the innermost one has the file; of several on one folder, the last. */
function networkFuse(path: string, mounts: string): string | undefined {
  return mounts
    .split('\n')
    .map((line) => line.split(' '))
    .map(([, point = '', type = '']) => ({ point: unescaped(point), type }))
    .filter(({ point }) => point === '/' || `${path}/`.startsWith(`${point}/`))
    .toSorted((a, b) => a.point.length - b.point.length)
    .map(({ type }) => type)
    .filter((type, index, all) => index === all.length - 1 && NETWORK_FUSE.test(type))
    .at(0);
}

/** Spaces and the like are octal escapes there. */
function unescaped(point: string): string {
  return point.replace(/\\([0-7]{3})/gu, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
