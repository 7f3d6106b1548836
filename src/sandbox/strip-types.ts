import { stripTypeScriptTypes } from 'node:module';

/**
 * TypeScript without its types; every other character keeps its line and column.
 *
 * @throws SyntaxError for what is no TypeScript, or has code behind its types (enums, parameter properties).
 */
export function stripTypes(source: string): string {
  const warn = process.emitWarning;
  // The function is complete but still marked experimental; the notice means nothing to a user.
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = warn;
  }
}
