import { AssistantError } from '../base/errors.ts';

/** The first Node with all that the assistant is made of; the program brings it along, an embedder has to have it. */
const NEEDED = 24;

/** @throws AssistantError `bad_usage` on an older Node, where the assistant would fail somewhere inside. */
export function requireNode(version: string = process.versions.node): void {
  if (Number.parseInt(version, 10) >= NEEDED) return;
  throw new AssistantError('bad_usage', `Wooster as a library needs Node ${NEEDED}; this is ${version}.`, {
    hint: `Run your program with Node ${NEEDED}: the npm package "node" brings it along.`,
  });
}
