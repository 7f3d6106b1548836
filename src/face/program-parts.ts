import type { ProgramParts } from '../lang/runtime/program-world.ts';
import type { App } from './app.ts';

/** The part of the assistant that programs use. */
export function programParts({ store, models, turns, tools, home }: App): ProgramParts {
  const { redactor, timeZone } = home;
  const programs = tools.programs.toolsFor;
  return { store, models, redactor, timeZone, programs, toolbox: tools.toolbox, runTurn: turns.run };
}
