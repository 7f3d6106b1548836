import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { AssistantError } from '../../base/errors.ts';

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
 * SQLite's locks do not work among machines, and two that write at once damage the file.
 *
 * @throws AssistantError `store_unavailable` when the folder is on a network volume.
 */
export function refuseNetworkVolume(path: string): void {
  if (process.platform !== 'linux' || path === ':memory:') return;
  const volume = networkVolume(path);
  if (volume === undefined) return;
  const hint = 'Keep the home on a local disk, or set WOOSTER_STORE_URL: see docs/several-machines.md.';
  throw new AssistantError('store_unavailable', `${path} is on a network volume (${volume}).`, { hint });
}

/** The kind of the network volume that a file would be on. */
function networkVolume(path: string): string | undefined {
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  const type = statfsSync(folder).type;
  return type === FUSE ? networkFuse(folder) : NETWORK.get(type);
}

/** The file system that is mounted nearest to the folder, if it is one of those. */
function networkFuse(folder: string): string | undefined {
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, point = '']) => point === '/' || `${folder}/`.startsWith(`${point}/`));
  const [, , type = ''] = mounts.toSorted(([, a = ''], [, b = '']) => a.length - b.length).at(-1) ?? [];
  return NETWORK_FUSE.test(type) ? type : undefined;
}
