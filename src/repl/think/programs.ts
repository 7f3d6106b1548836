import { resolve } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { programParts } from '../../face/program-parts.ts';
import { checkFile } from '../../lang/check/check.ts';
import { compileProgram, type Entry } from '../../lang/compile/compile.ts';
import { renderDiagnostic } from '../../lang/diagnostics/render.ts';
import type { Ready } from '../../lang/programs/load-program.ts';
import { programArguments } from '../../lang/runtime/arguments.ts';
import { ProgramWorldOf } from '../../lang/runtime/program-world.ts';
import type { Tape } from '../../lang/runtime/tape.ts';
import { readSource } from '../../lang/source.ts';
import type { CommandCall } from '../command.ts';
import { badUsage } from '../flags.ts';

/** What a program may call: the assistant's tools, and the owner's programs. */
export function callableBy({ app, session }: CommandCall): Promise<readonly string[]> {
  return app.tools.programs.names({ ...app.tools, ...session });
}

/** The file of a program that is named by its path or by its name. @throws AssistantError `file_not_found`. */
export async function fileOf({ app, session }: CommandCall, said: string): Promise<string> {
  const path = await app.tools.programs.folders.find(said, session.project);
  return path === resolve(said) ? said : path;
}

/** Check and compile a program, and show its errors. @throws AssistantError `file_not_found`. */
export async function compileFor(call: CommandCall, said: string, entry?: Entry): Promise<Ready | undefined> {
  const { out } = call;
  const checked = checkFile(await fileOf(call, said), { read: readSource, tools: await callableBy(call) });
  for (const { diagnostics, source } of checked.modules) {
    for (const diagnostic of diagnostics) {
      // Warnings are for the author: `think check` shows them.
      if (diagnostic.severity !== 'error') continue;
      out.row(diagnostic);
      out.note(renderDiagnostic(diagnostic, source));
    }
  }
  return checked.ok ? { checked, compiled: compileProgram(checked, entry) } : undefined;
}

/** The program's host: the assistant of this home, which can ask the person at the terminal. */
export function worldFor(call: CommandCall, { checked }: Ready, print: (text: string) => void, tape?: Tape) {
  const { app, session, signal, out } = call;
  const { file, source } = checked.main;
  return new ProgramWorldOf(programParts(app), {
    ...{ file, source, signal, print, tape, project: session.project, mode: session.mode },
    approve: (request) => call.approve(request),
    warn: (text) => {
      out.row({ type: 'warning', text });
      out.note(text);
    },
  });
}

/** `--arg name=value`, as the program declares its parameters. @throws AssistantError `bad_usage`. */
export async function argumentsOf({ flags }: CommandCall, { compiled }: Ready): Promise<Record<string, unknown>> {
  const given = [flags.arg ?? []].flat().map((each) => {
    const [name = '', ...value] = String(each).split('=');
    return [name, value.join('=')] as const;
  });
  try {
    return await programArguments(compiled.params, Object.fromEntries(given));
  } catch (error) {
    throw badUsage(messageOf(error), 'Give parameters as --arg NAME=VALUE.');
  }
}
