import { once } from '../base/once.ts';
import type { Freezer } from '../lang/freeze/freezer.ts';
import type { Scheduler } from '../scheduler/contract.ts';
import type { Settings } from '../settings/settings.ts';
import type { Proposals } from '../tools/gate/proposals.ts';
import type { Toolbox } from '../tools/gate/toolbox.ts';
import type { Foundation } from './foundation.ts';
import type { Parts } from './parts.ts';
import type { Services } from './services.ts';
import { saving } from './tools.ts';

/** What runs jobs by programs where they always go the same way; loaded for the first job that is due or looked at. */
export function openFreezer(
  settings: Settings,
  parts: Foundation & Services & Pick<Parts, 'programs' | 'jobs'>,
  later: { toolbox(): Toolbox; scheduler(): Scheduler; proposals(): Pick<Proposals, 'get'> },
): () => Promise<Freezer> {
  return once(async () => {
    const { Freezer: Loaded } = await import('../lang/freeze/freezer.ts');
    return new Loaded({
      ...saving(settings, parts, () => later.toolbox()),
      ...parts,
      scheduler: () => later.scheduler(),
      notices: parts.notifier.notices,
      proposal: (id) => later.proposals().get(id),
    });
  });
}
