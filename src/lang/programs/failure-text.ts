import { renderDiagnostic } from '../diagnostics/render.ts';
import { LineMap } from '../grammar/location.ts';
import type { ProgramFailure } from '../runtime/run-program.ts';
import type { Ready } from './load-program.ts';

/** A failure as people read it: `FILE:LINE:COLUMN: error NAME: message`, and the line with carets. */
export function failureText(failure: ProgramFailure, { checked }: Pick<Ready, 'checked'>): string {
  return failureIn(failure, [...checked.modules.filter((each) => each !== checked.main), checked.main]);
}

/** The same for the files of a program, the main one last. */
export function failureIn(
  { name, message, at }: ProgramFailure,
  files: readonly { readonly file: string; readonly source: string }[],
): string {
  const module = files.find(({ file }) => file === at?.file);
  if (!at || !module) return `${files.at(-1)?.file}: error ${name}: ${message}`;
  const lines = new LineMap(module.source);
  const offset = lines.offsetOf(at.line, at.column);
  const end = offset + (/^[\w$]+/u.exec(module.source.slice(offset))?.[0].length ?? 1);
  const location = lines.locate(offset, end);
  return renderDiagnostic({ code: name as never, severity: 'error', message, file: at.file, location }, module.source);
}
