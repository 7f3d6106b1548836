import { replaceFile } from '../../base/replace-file.ts';
import { counted } from '../../base/text.ts';
import { renderDiagnostic } from '../../lang/diagnostics/render.ts';
import { printProgram } from '../../lang/format/format.ts';
import { parse } from '../../lang/grammar/parse.ts';
import { readSource } from '../../lang/source.ts';
import type { CommandCall } from '../command.ts';
import { requireFiles } from './form.ts';

/**
 * Format programs. A file with syntax errors stays as it is. Rows: `{file, changed}`, or the errors;
 * exit code 1 when a file has errors or, with `--check`, would change.
 */
export async function fmt(call: CommandCall): Promise<number> {
  const { args, flags, out } = call;
  requireFiles(args, 'fmt');
  const results: Result[] = [];
  for (const file of args) results.push(await formatFile(file, call));
  const changed = results.filter((result) => result === 'changed').length;
  const broken = results.includes('broken');
  if (flags.check === true)
    out.line(changed === 0 ? 'Nothing to change.' : `${counted(changed, 'file')} would change.`);
  else if (!broken) out.line(changed === 0 ? 'Nothing to change.' : `${counted(changed, 'file')} changed.`);
  return broken || (flags.check === true && changed > 0) ? 1 : 0;
}

type Result = 'changed' | 'same' | 'broken';

async function formatFile(file: string, { flags, out }: CommandCall): Promise<Result> {
  const source = readSource(file);
  const { program, diagnostics } = parse(source, { file });
  for (const diagnostic of diagnostics) {
    out.row(diagnostic);
    out.line(renderDiagnostic(diagnostic, source));
  }
  if (diagnostics.length > 0) return 'broken';
  const text = printProgram(program, source);
  const changed = text !== source;
  if (changed && flags.check !== true) await replaceFile(file, text);
  out.row({ file, changed });
  if (changed) out.line(file);
  return changed ? 'changed' : 'same';
}
