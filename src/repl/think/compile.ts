import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { CommandCall } from '../command.ts';
import { textFlag } from '../flags.ts';
import { requireFiles } from './form.ts';
import { compileFor } from './programs.ts';

/** The JavaScript of a program. Row: `{file, hash, params, tools, code}`; exit code 1 when it has errors. */
export async function compile(call: CommandCall): Promise<number> {
  const { args, out, flags } = call;
  requireFiles(args, 'compile');
  const [file = ''] = args;
  const ready = compileFor(call, file);
  if (!ready) return 1;
  const { code, map, hash, params, tools } = ready.compiled;
  const target = textFlag(flags, 'out');
  if (target !== undefined) {
    writeFileSync(target, `${code}\n//# sourceMappingURL=${basename(target)}.map\n`);
    writeFileSync(`${target}.map`, JSON.stringify({ ...map, file: basename(target) }));
  }
  out.row({ file, hash, params, tools, code });
  out.line(target === undefined ? code : `${target} and ${target}.map`);
  return 0;
}
