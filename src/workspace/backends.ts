import type { Backend } from './backend.ts';
import { bubblewrap } from './bubblewrap.ts';
import { containerEngine } from './container.ts';

/** `auto` tries them all. */
export type BackendName = 'auto' | 'docker' | 'podman' | 'bubblewrap';

/** The backends to try, in order. @param image the container image for Docker and podman. */
export function chooseBackends(name: BackendName, image: string): readonly Backend[] {
  const engines = [containerEngine({ program: 'docker', image }), containerEngine({ program: 'podman', image })];
  const all = [...engines, bubblewrap()];
  return name === 'auto' ? all : all.filter((backend) => backend.name === name);
}
