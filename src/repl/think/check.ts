import { counted } from '../../base/text.ts';
import { hasErrors } from '../../lang/diagnostics/diagnostic.ts';
import { renderDiagnostic } from '../../lang/diagnostics/render.ts';
import { parse } from '../../lang/grammar/parse.ts';
import { readSource } from '../../lang/source.ts';
import type { CommandCall } from '../command.ts';
import { requireFiles } from './form.ts';

/**
 * Say what is wrong with programs. Rows: the diagnostics of every file, then `{file, ok, errors, warnings}` for each;
 * exit code 1 when one has errors.
 */
export async function check(call: CommandCall): Promise<number> {
  const { args, out } = call;
  requireFiles(args, 'check');
  const sound = args.map((file) => checkFile(file, call));
  if (sound.every(Boolean)) out.line(args.length === 1 ? 'No errors.' : `No errors in ${args.length} files.`);
  return sound.every(Boolean) ? 0 : 1;
}

function checkFile(file: string, { out }: CommandCall): boolean {
  const source = readSource(file);
  const { diagnostics } = parse(source, { file });
  for (const diagnostic of diagnostics) {
    out.row(diagnostic);
    out.line(renderDiagnostic(diagnostic, source));
  }
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.length - errors;
  out.row({ file, ok: errors === 0, errors, warnings });
  if (diagnostics.length > 0) out.line(`${file}: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}`);
  return !hasErrors(diagnostics);
}
