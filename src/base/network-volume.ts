import { existsSync, readFileSync, realpathSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Linux's numbers of file systems that are on another machine: statfs(2). */
const NETWORK = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x5346414f, 'AFS'],
  [0x01021997, '9p'],
  [0x00c36400, 'Ceph'],
]);
/** Programs that serve files: some of them from a disk of this machine, so the mount's type has to tell. */
const FUSE = 0x65735546;
const NETWORK_FUSE = /^fuse\.(?:sshfs|s3fs|rclone|glusterfs|gcsfuse|goofys|davfs2|ceph-fuse|curlftpfs)$/u;

/**
 * The kind of the network volume that a file or folder is on, or would be on; undefined for a disk of this machine, and
 * on other systems than Linux. What other machines change there, this one gets no events of.
 */
export function networkVolume(path: string): string | undefined {
  if (process.platform !== 'linux') return undefined;
  let there = resolve(path);
  while (!existsSync(there)) there = dirname(there);
  return volumeOfType(statfsSync(there).type, realpathSync(there), () => readFileSync('/proc/self/mounts', 'utf8'));
}

/** @param type as statfs(2) gives it. @param mounts the text of `/proc/self/mounts`. */
export function volumeOfType(type: number, path: string, mounts: () => string): string | undefined {
  // Where the system's numbers have 32 bits, the larger ones come out negative.
  const known = type >>> 0;
  return known === FUSE ? networkFuse(path, mounts()) : NETWORK.get(known);
}

/** Of nested mounts the innermost has the file; of several on one folder, the last. */
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

/** Spaces and the like are in octal there. */
function unescaped(point: string): string {
  return point.replace(/\\([0-7]{3})/gu, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
