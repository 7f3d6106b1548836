import { counted } from '../../base/text.ts';
import { checkFile } from '../../lang/check/check.ts';
import type { Diagnostic } from '../../lang/diagnostics/diagnostic.ts';
import { hasErrors } from '../../lang/diagnostics/diagnostic.ts';
import { renderDiagnostic } from '../../lang/diagnostics/render.ts';
import { parse } from '../../lang/grammar/parse.ts';
import { toolNames } from '../../lang/runtime/tool-names.ts';
import { readSource } from '../../lang/source.ts';
import type { CommandCall } from '../command.ts';
import { requireFiles } from './form.ts';

/**
 * Report diagnostics of programs. Rows: the diagnostics of every file, then `{file, ok, errors, warnings}` for each;
 * exit code 1 when one has errors.
 */
export async function check(call: CommandCall): Promise<number> {
  const { args, out } = call;
  requireFiles(args, 'check');
  const sound = args.map((file) => checkOne(file, call));
  if (sound.every(Boolean)) out.line(args.length === 1 ? 'No errors.' : `No errors in ${args.length} files.`);
  return sound.every(Boolean) ? 0 : 1;
}

/** A file and, unless only its syntax counts, all that it imports. */
function checkOne(file: string, call: CommandCall): boolean {
  const read = readSource;
  if (call.flags.syntax === true) {
    const source = read(file);
    return show({ file, source, ...parse(source, { file }) }, call);
  }
  const { modules } = checkFile(file, { read, tools: toolNames(call.app.tools.toolbox) });
  return modules.map((module) => show(module, call)).every(Boolean);
}

interface Shown {
  readonly file: string;
  readonly source: string;
  readonly diagnostics: readonly Diagnostic[];
}

function show({ file, source, diagnostics }: Shown, { out }: CommandCall): boolean {
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
