/**
 * A rebuilt index is a trial: rows and files under a name that no project can have, next to the project's own, until it
 * is promoted or discarded.
 */
export function trialName(project: string): string {
  return `${project}~next`;
}

/** The project that a trial belongs to; any other name is returned unchanged. */
export function projectOfTrial(project: string): string {
  return project.replace(/~next$/u, '');
}

export function isTrial(project: string): boolean {
  return project.endsWith('~next');
}
