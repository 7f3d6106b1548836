import type { App } from '../app.ts';

/** What programs call tools of the assistant that have other names here. */
const OTHER_NAMES = ['fetchUrl', 'readFile', 'writeFile', 'runCommand', 'searchWeb'];

/** The tools of the assistant, by the names that programs call them. */
export function toolNames({ toolbox }: Pick<App, 'toolbox'>): string[] {
  return [...toolbox.list().flatMap(({ name, functionName }) => [name, functionName]), ...OTHER_NAMES];
}
