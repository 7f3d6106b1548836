import type { AssistantError } from '../../base/errors.ts';
import { nearest } from '../../base/text.ts';
import type { CodeEntry } from '../../lang/diagnostics/code-entry.ts';
import { CODES } from '../../lang/diagnostics/codes.ts';
import type { CommandCall } from '../command.ts';
import { badUsage } from '../flags.ts';

/** Explain a diagnostic code, with an example. Row: `{code, severity, title, explanation, example?}`. */
export async function explain({ args, out }: CommandCall): Promise<number> {
  const codes: Readonly<Record<string, CodeEntry>> = CODES;
  const code = (args[0] ?? '').toUpperCase();
  const entry = Object.hasOwn(codes, code) ? codes[code] : undefined;
  if (!entry) throw unknownCode(code);
  const { severity, title, explanation, example } = entry;
  out.row({ code, ...entry });
  out.line(`${severity} ${code}: ${title}\n\n${explanation}`);
  if (example) out.line(`\nWrong:\n${indented(example.wrong)}\n\nRight:\n${indented(example.right)}`);
  return 0;
}

function unknownCode(code: string): AssistantError {
  const guess = nearest(code, Object.keys(CODES));
  const hint = guess ? `Did you mean ${guess}?` : 'docs/language-errors.md lists the codes.';
  return badUsage(code === '' ? 'The code is missing.' : `There is no code "${code}".`, hint);
}

function indented(text: string): string {
  return text.replace(/^/gmu, '  ');
}
