import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { replaceFile } from '../../base/replace-file.ts';
import { counted, nearest } from '../../base/text.ts';
import { checkFile } from '../../lang/check/check.ts';
import { compiledProgram, moduleText } from '../../lang/compile/module-text.ts';
import type { CodeEntry } from '../../lang/diagnostics/code-entry.ts';
import { CODES } from '../../lang/diagnostics/codes.ts';
import { type Diagnostic, hasErrors } from '../../lang/diagnostics/diagnostic.ts';
import { renderDiagnostic } from '../../lang/diagnostics/render.ts';
import { printProgram } from '../../lang/format/format.ts';
import { parse } from '../../lang/grammar/parse.ts';
import { failureText } from '../../lang/programs/failure-text.ts';
import { resultText } from '../../lang/programs/program-engine.ts';
import type { CostSum } from '../../lang/runtime/costs.ts';
import { runProgram } from '../../lang/runtime/run-program.ts';
import { readSource } from '../../lang/source.ts';
import type { Purpose } from '../../models/types.ts';
import type { CommandCall } from '../command.ts';
import { badUsage, textFlag } from '../flags.ts';
import { argumentsOf, callableBy, compileFor, fileOf, worldFor } from './programs.ts';

/**
 * Report diagnostics of programs. Rows: the diagnostics of every file, then `{file, ok, errors, warnings}` for each;
 * exit code 1 when one has errors.
 */
export async function check(call: CommandCall): Promise<number> {
  const { args, out } = call;
  requireFiles(args, 'check');
  const sound = await Promise.all(args.map((file) => checkOne(file, call)));
  if (sound.every(Boolean)) out.line(args.length === 1 ? 'No errors.' : `No errors in ${args.length} files.`);
  return sound.every(Boolean) ? 0 : 1;
}

/** A file and, unless only its syntax counts, all that it imports. */
async function checkOne(said: string, call: CommandCall): Promise<boolean> {
  const file = await fileOf(call, said);
  if (call.flags.syntax === true) {
    const source = readSource(file);
    return showAll({ file, source, ...parse(source, { file }) }, call);
  }
  const { modules } = checkFile(file, { read: readSource, tools: await callableBy(call) });
  return modules.map((module) => showAll(module, call)).every(Boolean);
}

interface Shown {
  readonly file: string;
  readonly source: string;
  readonly diagnostics: readonly Diagnostic[];
}

function showAll({ file, source, diagnostics }: Shown, { out }: CommandCall): boolean {
  for (const diagnostic of diagnostics) out.show(diagnostic, renderDiagnostic(diagnostic, source));
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.length - errors;
  out.row({ file, ok: errors === 0, errors, warnings });
  if (diagnostics.length > 0) out.line(`${file}: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}`);
  return !hasErrors(diagnostics);
}

/**
 * A program as a module that Node runs, with its source map. Row: `{file, hash, params, tools, code}`; exit code 1 when
 * it has errors.
 */
export async function compile(call: CommandCall): Promise<number> {
  const { args, out, flags } = call;
  const file = requireFiles(args, 'compile');
  const ready = await compileFor(call, file);
  if (!ready) return 1;
  const { map, hash, params, tools } = ready.compiled;
  const { text, before } = moduleText(compiledProgram(ready.checked, ready.compiled));
  const target = textFlag(flags, 'out');
  if (target !== undefined) {
    const mappings = `${';'.repeat(before)}${map.mappings}`;
    writeFileSync(target, `${text}//# sourceMappingURL=${basename(target)}.map\n`);
    writeFileSync(`${target}.map`, JSON.stringify({ ...map, mappings, file: basename(target) }));
  }
  out.show({ file, hash, params, tools, code: text }, target === undefined ? text : `${target} and ${target}.map`);
  return 0;
}

/**
 * Run a program. Rows: `{type: "print", text}`, warnings and diagnostics as they come, `{type: "result", value}` where
 * it returns one, then `{type: "end", ok, ms, cost}` with the failure; exit code 1 when it fails, 130 when cancelled.
 */
export async function run(call: CommandCall): Promise<number> {
  const { args, app, out, signal, flags } = call;
  const ready = await compileFor(call, requireFiles(args, 'run'));
  if (!ready) return 1;
  const world = worldFor(call, ready, (text) => out.show({ type: 'print', text }, text));
  const given = await argumentsOf(call, ready);
  const { failed, value, ms } = await runProgram(ready.compiled, {
    sandbox: app.tools.sandbox,
    world,
    signal,
    args: given,
  });
  const isCancelled = failed?.name === 'Cancelled';
  await world.close(isCancelled ? 'aborted' : failed ? 'failed' : 'answered');
  const cost = world.costs.getSummary();
  const result = resultText('', value);
  if (result !== '') out.show({ type: 'result', value }, result);
  out.row({ type: 'end', ok: !failed, ms: Math.round(ms), cost, ...(failed ? { failed } : {}) });
  if (failed) out.note(failureText(failed, ready));
  if (flags['show-cost']) out.note(costText(cost));
  return isCancelled ? 130 : failed ? 1 : 0;
}

type Costs = ReturnType<typeof worldFor>['costs'];

function costText(sum: ReturnType<Costs['getSummary']>): string {
  const { calls, inputTokens, outputTokens } = sum;
  return `${counted(calls, 'model call')}, ${inputTokens} tokens in, ${outputTokens} out, ${priceText(sum)}`;
}

/** What is not known is never said as 0. */
function priceText({ calls, costUsd, unpricedCalls }: Pick<CostSum, 'calls' | 'costUsd' | 'unpricedCalls'>): string {
  if (unpricedCalls === 0) return `${costUsd.toFixed(4)} USD`;
  return unpricedCalls === calls
    ? 'of unknown price'
    : `${costUsd.toFixed(4)} USD and ${counted(unpricedCalls, 'call')} of unknown price`;
}

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
  for (const diagnostic of diagnostics) out.show(diagnostic, renderDiagnostic(diagnostic, source));
  if (diagnostics.length > 0) return 'broken';
  const text = printProgram(program, source);
  const changed = text !== source;
  if (changed && flags.check !== true) await replaceFile(file, text);
  out.row({ file, changed });
  if (changed) out.line(file);
  return changed ? 'changed' : 'same';
}

/** Explain a diagnostic code, with an example. Row: `{code, severity, title, explanation, example?}`. */
export async function explain({ args, out }: CommandCall): Promise<number> {
  const codes: Readonly<Record<string, CodeEntry>> = CODES;
  const code = (args[0] ?? '').toUpperCase();
  const entry = Object.hasOwn(codes, code) ? codes[code] : undefined;
  if (!entry) {
    const guess = nearest(code, Object.keys(codes));
    const hint = guess ? `Did you mean ${guess}?` : 'docs/language-errors.md lists the codes.';
    throw badUsage(code === '' ? 'The code is missing.' : `There is no code "${code}".`, hint);
  }
  const { severity, title, explanation, example } = entry;
  out.show({ code, ...entry }, `${severity} ${code}: ${title}\n\n${explanation}`);
  if (example) out.line(`\nWrong:\n${indented(example.wrong)}\n\nRight:\n${indented(example.right)}`);
  return 0;
}

function indented(text: string): string {
  return text.replace(/^/gmu, '  ');
}

/** The purposes of programs' model calls, as the usage table groups them. */
const OF_PROGRAMS: readonly Purpose[] = [
  ...(['think', 'infer', 'reason', 'agent', 'map_think', 'reduce_think', 'semantic_assert'] as const),
];

/**
 * What all programs of the home have cost so far, by operation. Rows as those of `usage --by purpose`; a total for
 * people. Budgets are those of `usage`.
 */
export async function costReport({ app, out }: CommandCall): Promise<number> {
  const sums = (await app.models.usage('purpose')).filter(({ group }) => OF_PROGRAMS.some((each) => each === group));
  for (const sum of sums) {
    const { group, calls, inputTokens, outputTokens } = sum;
    const tokens = `${inputTokens} tokens in, ${outputTokens} out`;
    out.show(sum, `${group.padEnd(16)} ${calls} calls, ${tokens}, ${priceText(sum)}`);
  }
  const add = (of: 'calls' | 'costUsd' | 'unpricedCalls') => sums.reduce((whole, sum) => whole + sum[of], 0);
  const total = { calls: add('calls'), costUsd: add('costUsd'), unpricedCalls: add('unpricedCalls') };
  out.line(sums.length === 0 ? 'No program has asked a model yet.' : `in all: ${priceText(total)}`);
  return 0;
}

/** Serve an editor over stdin and stdout until it closes them; nothing else is written to stdout. */
export async function lsp(call: CommandCall): Promise<number> {
  if (call.place !== 'argv') {
    throw badUsage('The prompt and an editor cannot share one terminal.', 'Let the editor start "wooster think lsp".');
  }
  const { serveEditor } = await import('../../lang/lsp/server.ts');
  return serveEditor({ input: process.stdin, output: process.stdout, tools: await callableBy(call) });
}

/** @returns the first file. @throws AssistantError `bad_usage` when none is given. */
export function requireFiles([file]: readonly string[], form: string): string {
  if (file !== undefined) return file;
  throw badUsage('The file is missing.', `wooster think ${form} FILE`);
}
