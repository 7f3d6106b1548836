import { join } from 'node:path';
import type { Agent } from '../agent/agent.ts';
import { Programs } from '../lang/programs/programs.ts';
import { Memory } from '../plugins/memory/memory.ts';
import { Skills } from '../plugins/skills/skills.ts';
import type { Settings } from '../settings/settings.ts';
import type { UndoParts } from '../tools/undo/create.ts';
import type { Foundation } from './foundation.ts';
import type { Services } from './services.ts';

/** What is known about the owner. */
export function openMemory(foundation: Foundation, services: Services, kept: UndoParts): Memory {
  const { projects, models, obeyed } = services;
  return new Memory({
    files: kept.files,
    projects,
    ...{ redactor: foundation.redactor, log: foundation.log, embedding: models.embedding() },
    isLocalOnly: (project) => models.isLocalOnly(project),
    whyNot: async (path) => (await obeyed.judge([path]))[0]?.why,
  });
}

/** The owner's programs, as tools and as jobs; what runs them is loaded with the first. */
export function openPrograms(
  { home }: Settings,
  { foundation, services, agent }: { foundation: Foundation; services: Services; agent: () => Pick<Agent, 'runTurn'> },
): Programs {
  const { store, redactor, timeZone } = foundation;
  const { projects, sandbox } = services;
  return new Programs({
    ...{ store, redactor, timeZone, sandbox },
    runTurn: (turn, context, wishes) => agent().runTurn(turn, context, wishes),
    ownerDir: home.owner,
    projectFolder: (project) => projects.folder(project),
  });
}

/** The skills of the home, of the projects and of the program. */
export function openSkills({ home }: Settings, { store }: Foundation, { projects }: Services): Skills {
  return new Skills({
    store,
    ownerDir: home.owner,
    bundledDir: join(home.checkout, 'prompts', 'skills'),
    projectFolder: (project) => projects.folder(project),
  });
}
