import { stripTypeScriptTypes } from 'node:module';

/**
 * Replace the types in TypeScript by spaces, so everything else keeps its line and column.
 *
 * @throws SyntaxError for what is not TypeScript, or has types that generate code (enums, parameter properties).
 */
export function stripTypes(source: string): string {
  const warn = process.emitWarning;
  // The function is marked experimental; users cannot do anything about that warning.
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = warn;
  }
}
