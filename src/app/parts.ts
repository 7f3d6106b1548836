import type { Agent } from '../agent/agent.ts';
import type { JobTurns } from '../agent/job-turns.ts';
import type { Freezer } from '../lang/freeze/freezer.ts';
import type { Programs } from '../lang/programs/programs.ts';
import type { Mcp } from '../plugins/mcp/mcp.ts';
import type { Memory } from '../plugins/memory/memory.ts';
import type { Plugins } from '../plugins/plugins.ts';
import type { Skills } from '../plugins/skills/skills.ts';
import type { Scheduler } from '../scheduler/contract.ts';
import type { CutOffEffects } from '../tools/gate/cut-off-effects.ts';
import type { Proposals } from '../tools/gate/proposals.ts';
import type { Toolbox } from '../tools/gate/toolbox.ts';
import type { UndoParts } from '../tools/undo/create.ts';
import type { Foundation } from './foundation.ts';
import type { Services } from './services.ts';

/** Every part of the program. Each is opened with those that it needs of the parts before it. */
export interface Parts extends Foundation, Services {
  readonly scheduler: Scheduler;
  readonly kept: UndoParts;
  readonly memory: Memory;
  readonly skills: Skills;
  readonly programs: Programs;
  readonly plugins: Plugins;
  readonly mcp: Mcp;
  readonly proposals: Proposals;
  readonly toolbox: Toolbox;
  readonly cutOff: CutOffEffects;
  readonly jobs: JobTurns;
  readonly freezer: () => Promise<Freezer>;
  readonly agent: Agent;
}
