import { AssistantError } from '../../base/errors.ts';
import { networkVolume } from '../../base/network-volume.ts';

/**
 * SQLite's locks do not work across machines, and two machines that write at once damage the file.
 *
 * @throws AssistantError `store_unavailable` when the folder is on a network volume.
 */
export function refuseNetworkVolume(path: string, volumeOf = networkVolume): void {
  if (path === ':memory:') return;
  const volume = volumeOf(path);
  if (volume === undefined) return;
  const hint = 'Keep the home on a local disk, or set WOOSTER_STORE_URL: see docs/several-machines.md.';
  throw new AssistantError('store_unavailable', `${path} is on a network volume (${volume}).`, { hint });
}
