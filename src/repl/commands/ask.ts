import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { replaceFile } from '../../base/replace-file.ts';
import type { Material } from '../../base/turn.ts';
import { fileMaterial, fitting, MAX_MATERIAL_CHARS } from '../../face/file-material.ts';
import { brokenPluginsLine } from '../broken-plugins.ts';
import type { Command, CommandCall } from '../command.ts';
import { badUsage } from '../flags.ts';
import { isPiped, readPiped, STANDARD_INPUT } from '../material.ts';

/**
 * One turn from the command line. All words form one question, so quotes are optional; `-` stands for a question on
 * standard input, which otherwise is material for the question, as the files are.
 * Rows: the events of the turn. Exit code: 0 answered, 1 failed or out of steps, 7 cut off, 130 cancelled.
 */
export const ask: Command = {
  name: 'ask',
  summary: 'Answer one question and exit',
  group: 'Ask',
  usage: [
    'ask "TEXT" [--mode code_agent|classic_tools] [-c ID] [--project NAME] [--json] [--yes]',
    'ask "TEXT" --file F [--file F ...]        about files of any format that can be ingested',
    'COMMAND | wooster ask "TEXT"              about what a command prints',
    'ask -                                     the question itself comes on standard input',
    'ask "TEXT" --output F                     the answer goes to a file, once it is whole',
    'ask "TEXT" --schema F                     the answer is JSON that fits the JSON Schema of a file',
  ],
  examples: [
    'ask "what is 15 % of 80?"',
    'ask "when does my lease end?" --project flat',
    'git diff | wooster ask "explain"',
    'ask "sum up the costs" --file costs.csv --output costs.md',
  ],
  basic: true,
  flags: { file: { type: 'string', multiple: true }, output: { type: 'string' }, schema: { type: 'string' } },
  only: 'argv',
  async run(call) {
    const given = call.args.join(' ').trim();
    const broken = brokenPluginsLine(call.app.tools.plugins.list());
    if (broken !== undefined) call.out.note(broken);
    const output = await outputFile(call);
    if (given === '') throw noQuestion();
    const piped = await standardInput(call, given === '-');
    const text = given === '-' ? (piped ?? '').trim() : given;
    if (text === '') throw noQuestion();
    const input = { name: STANDARD_INPUT, text: piped ?? '', untrusted: true };
    const material = [...(await files(call)), ...(given === '-' || piped === undefined ? [] : [input])];
    const handed = material.map((each) => shortened(each, call));
    const { schema } = call.flags;
    if (schema === undefined && output === undefined) return call.ask(text, { material: handed });
    let answer = '';
    const keep = (whole: string) => {
      answer = whole;
    };
    const code =
      schema === undefined
        ? await call.ask(text, { material: handed, answered: keep })
        : await structured(String(schema), text, keep, { call, material: handed });
    if (output !== undefined && (code === 0 || code === 7)) await write(output, answer, call);
    else if (code === 0) call.out.line(answer);
    return code;
  },
};

async function structured(
  path: string,
  text: string,
  found: (json: string) => void,
  { call, material }: { readonly call: CommandCall; readonly material: readonly Material[] },
): Promise<number> {
  // Loaded late: few questions ask for JSON.
  const { readSchema, StructuredAnswer } = await import('../structured-answer.ts');
  const schema = await readSchema(path);
  const answer = await StructuredAnswer.of(schema);
  return answer.ask(call, text, found, { material });
}

function noQuestion(): AssistantError {
  return badUsage('There is no question.', `Usage: wooster ${ask.usage[0]}`);
}

/** @returns undefined when nothing is piped in. */
async function standardInput({ out, signal }: CommandCall, wanted: boolean): Promise<string | undefined> {
  if (!isPiped()) return undefined;
  const { text, silent } = await readPiped(process.stdin, signal);
  if (silent && !wanted) out.note('Nothing came on standard input within 2 s: answering without it.');
  return text;
}

async function files({ app, flags, signal }: CommandCall): Promise<readonly Material[]> {
  const found: Material[] = [];
  // One after the other: each may start a process to read it.
  for (const path of [flags.file ?? []].flat()) found.push(await fileMaterial(String(path), app, signal));
  return found;
}

function shortened(material: Material, { out }: CommandCall): Material {
  const fits = fitting(material);
  if (fits === material) return material;
  const { length } = material.text;
  out.note(`${material.name} has ${length} characters, of which the middle is left out: ${MAX_MATERIAL_CHARS} fit.`);
  return fits;
}

/**
 * Where the answer goes, checked before anything is asked.
 *
 * @throws AssistantError `bad_usage` when no file can be there.
 */
async function outputFile({ flags }: CommandCall): Promise<string | undefined> {
  if (flags.output === undefined) return undefined;
  const path = resolve(String(flags.output));
  const folder = await stat(dirname(path)).catch(() => undefined);
  const there = await stat(path).catch(() => undefined);
  if (folder?.isDirectory() && !there?.isDirectory()) return path;
  throw badUsage(`No file can be written at ${path}.`, 'Give --output the path of a file in a folder that exists.');
}

async function write(path: string, answer: string, { out }: CommandCall): Promise<void> {
  try {
    await replaceFile(path, `${answer.trimEnd()}\n`, { mode: 0o666 & ~process.umask() });
  } catch (error) {
    out.line(answer);
    throw new AssistantError('bad_usage', `The answer could not be written to ${path}: ${messageOf(error)}.`, {
      hint: 'It is printed above instead.',
      cause: error,
    });
  }
  out.note(`wrote ${path}`);
}
