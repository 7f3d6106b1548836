import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { failureText } from '../../lang/programs/failure-text.ts';
import type { Ready } from '../../lang/programs/load-program.ts';
import { runProgram } from '../../lang/runtime/run-program.ts';
import { Tape } from '../../lang/runtime/tape.ts';
import type { CommandCall } from '../command.ts';
import { compileFor, worldFor } from './programs.ts';

interface Verdict {
  readonly ok: boolean;
  readonly why?: string;
}

/**
 * Run the tests of programs: those of the files named, or of every `*.test.tl` in a folder. Each runs by itself, after
 * the statements of its file. Answers are recorded with `--update-snapshots` and replayed with `--replay`, from a file
 * beside the program. Rows: `{file, name, ok, why?}`; exit code 1 when one fails or there are none.
 */
export async function test(call: CommandCall): Promise<number> {
  const { args, out } = call;
  const files = (args.length === 0 ? ['.'] : args).flatMap(testFiles);
  const counts = { passed: 0, failed: 0 };
  for (const file of files) {
    const ready = await compileFor(call, file);
    if (!ready) counts.failed += 1;
    out.line(file);
    for (const index of (ready?.compiled.tests ?? []).keys()) {
      if (call.signal.aborted) return 130;
      const { ok, name, why } = await runOne(call, file, index);
      counts[ok ? 'passed' : 'failed'] += 1;
      out.row({ file, name, ok, ...(why === undefined ? {} : { why }) });
      out.line(ok ? `+ PASS: ${name}` : `- FAIL: ${name}\n${why}`);
    }
  }
  if (counts.passed + counts.failed === 0)
    out.note('There are no tests: name a file, or a folder with *.test.tl files.');
  else out.line(`${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed > 0 || counts.passed === 0 ? 1 : 0;
}

function testFiles(path: string): string[] {
  if (!existsSync(path) || statSync(path).isFile()) return [path];
  return globSync('**/*.test.tl', { cwd: path, exclude: (name) => /(?:^|[/\\])node_modules$/u.test(name) })
    .toSorted()
    .map((each) => join(path, each));
}

async function runOne(call: CommandCall, file: string, index: number): Promise<Verdict & { name: string }> {
  const ready = await compileFor(call, file, { kind: 'test', index });
  const about = ready?.compiled.tests[index];
  if (!ready || !about) return { ok: false, name: String(index), why: 'it cannot be compiled' };
  const { name, replay } = about;
  const snapshot = replay ? resolve(dirname(file), replay) : `${file.replace(/\.tl$/u, '')}.${index + 1}.snapshot.json`;
  const isRecorded = call.flags['update-snapshots'] === true;
  const isPlayed = !isRecorded && (call.flags.replay === true || replay !== undefined);
  const isMissing = isPlayed && !existsSync(snapshot);
  if (isMissing && replay) return { ok: false, name, why: `  there is no snapshot ${snapshot}` };
  // A test that asks no model has none.
  const played = isMissing ? Tape.play(NO_ANSWERS) : isPlayed ? readTape(snapshot) : undefined;
  const tape = isRecorded ? Tape.record() : played;
  if (typeof tape === 'string') return { ok: false, name, why: `  ${snapshot}: ${tape}` };
  const verdict = await runTest(call, ready, tape);
  if (isMissing && !verdict.ok) return { ...verdict, name, why: `  there is no snapshot ${snapshot}\n${verdict.why}` };
  if (isRecorded && tape && verdict.ok) record(tape, snapshot);
  return { ...verdict, name };
}

/** A test that asks nothing needs no snapshot. */
function record(tape: Tape, snapshot: string): void {
  if (tape.isEmpty) rmSync(snapshot, { force: true });
  else writeFileSync(snapshot, tape.toString());
}

const NO_ANSWERS = JSON.stringify({ version: 1, entries: [] });

/** @returns why the file is not a snapshot, if it is not. */
function readTape(file: string): Tape | string {
  try {
    return Tape.play(readFileSync(file, 'utf8'));
  } catch (error) {
    return messageOf(error);
  }
}

async function runTest(call: CommandCall, ready: Ready, tape: Tape | undefined): Promise<Verdict> {
  const world = worldFor(call, ready, () => {}, tape);
  const { sandbox } = call.app.tools;
  const { failed } = await runProgram(ready.compiled, { sandbox, world, signal: call.signal });
  await world.close(failed ? 'failed' : 'answered');
  return failed ? { ok: false, why: failureText(failed, ready) } : { ok: true };
}
