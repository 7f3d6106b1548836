import { join } from 'node:path';
import type { Agent } from '../agent/agent.ts';
import { Programs } from '../lang/programs/programs.ts';
import { Memory } from '../plugins/memory/memory.ts';
import { Skills } from '../plugins/skills/skills.ts';
import type { Settings } from '../settings/settings.ts';
import type { Proposals } from '../tools/gate/proposals.ts';
import type { Parts } from './parts.ts';

/** What is known about the owner. */
export function openMemory(parts: Pick<Parts, 'kept' | 'projects' | 'models' | 'obeyed' | 'redactor' | 'log'>): Memory {
  const { kept, projects, models, obeyed, redactor, log } = parts;
  return new Memory({
    files: kept.files,
    ...{ projects, redactor, log, embedding: models.embedding() },
    isLocalOnly: (project) => models.isLocalOnly(project),
    whyNot: async (path) => (await obeyed.judge([path]))[0]?.why,
  });
}

/** The owner's programs, as tools and as jobs; what runs them is loaded with the first. */
export function openPrograms(
  { home }: Settings,
  {
    store,
    redactor,
    timeZone,
    projects,
    sandbox,
  }: Pick<Parts, 'store' | 'redactor' | 'timeZone' | 'projects' | 'sandbox'>,
  later: { agent(): Pick<Agent, 'runTurn'>; proposals(): Pick<Proposals, 'get'> },
): Programs {
  return new Programs({
    ...{ store, redactor, timeZone, sandbox },
    runTurn: (turn, context, wishes) => later.agent().runTurn(turn, context, wishes),
    proposal: (id) => later.proposals().get(id),
    ownerDir: home.owner,
    projectFolder: (project) => projects.folder(project),
  });
}

/** The skills of the home, of the projects and of the program. */
export function openSkills({ home }: Settings, { store, projects }: Pick<Parts, 'store' | 'projects'>): Skills {
  return new Skills({
    store,
    ownerDir: home.owner,
    bundledDir: join(home.checkout, 'prompts', 'skills'),
    projectFolder: (project) => projects.folder(project),
  });
}
