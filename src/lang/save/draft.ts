import { AssistantError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { oneLine, preview } from '../../base/text.ts';
import { propertiesOf, toSchema } from '../../tools/signature.ts';
import type { Tool } from '../../tools/tool.ts';
import { checkSource } from '../check/check.ts';
import { renderDiagnostic } from '../diagnostics/render.ts';
import { printProgram } from '../format/format.ts';
import { numberText, quoted } from '../format/literals.ts';
import { parse } from '../grammar/parse.ts';
import { wordsOf } from '../programs/program-name.ts';
import { readSource } from '../source.ts';
import { AnswerWriter, type Lines } from './answer.ts';
import { wordsIn } from './leaves.ts';
import type { RecordedCall, RecordedTurn } from './recorded-turn.ts';
import { type Place, Values, type Written } from './values.ts';

/** A program that does again what a turn did. */
export interface Draft {
  /** Of its file, without `.tl`. */
  readonly name: string;
  readonly source: string;
  /** In how many places it asks a model. */
  readonly asks: number;
  /** The tools that it calls. */
  readonly tools: readonly Tool[];
  /** What it does not do as it was done, in words for the owner. */
  readonly notes: readonly string[];
}

export interface DraftOptions {
  readonly name?: string | undefined;
  /** What a program may call. */
  readonly callable: readonly string[];
  readonly timeZone: string;
  /** Whether a program can ask a model at all. */
  readonly hasModel: boolean;
  /** It reads all that was read: what nothing uses may have decided what was done. */
  readonly readsAll?: boolean;
  /** The closing answer is asked for, however it could be written. */
  readonly asksAnswer?: boolean;
}

/**
 * Write the calls of a turn as a program: values that came from the request become parameters, those that came from
 * an earlier result are read from there, and text that a model composed from results is asked for again.
 *
 * @throws AssistantError `bad_usage` for what a program cannot express, with why.
 */
export function draftProgram(turn: RecordedTurn, options: DraftOptions): Draft {
  return new Drafter(turn, options).draft();
}

class Drafter {
  readonly #turn: RecordedTurn;
  readonly #options: DraftOptions;
  readonly #values: Values;
  readonly #lines: Lines[] = [];
  readonly #notes: string[];
  readonly #item: string;
  #asks = 0;

  constructor(turn: RecordedTurn, options: DraftOptions) {
    this.#turn = turn;
    this.#options = options;
    this.#values = new Values({ ...turn, timeZone: options.timeZone }, options.callable);
    this.#item = this.#values.name('item');
    this.#notes = [...turn.left];
  }

  draft(): Draft {
    const { calls, request, answer } = this.#turn;
    if (calls.length === 0) throw cannot('the calls of that turn are not on record any more');
    for (let at = 0; at < calls.length; ) at += this.#step(at);
    const writer = new AnswerWriter(this.#values, this.#item);
    const written = this.#options.asksAnswer ? undefined : writer.lines(answer);
    const lines = written ?? (this.#options.hasModel ? this.#askForAnswer() : this.#shown());
    this.#lines.push(...lines);
    const words = wordsOf(this.#options.name ?? wordsIn(request).slice(0, 3).join(' '));
    const name = words.join('-') || 'program';
    const tools = new Set(calls.flatMap((call) => (call.kind === 'tool' ? [call.tool] : [])));
    return { name, source: this.#source(name), asks: this.#asks, tools: [...tools], notes: this.#notes };
  }

  /** @returns how many calls it took. */
  #step(at: number): number {
    const call = this.#turn.calls[at];
    if (call?.kind === 'asked') this.#asked(call);
    if (call?.kind !== 'tool') return 1;
    const loop = this.#loop(at, call.tool);
    if (loop > 0) return loop;
    const given = this.#input(call.tool, call.input, true);
    this.#call(call.tool, call.value, { text: `${call.tool.functionName}(${given.text})`, uses: given.uses });
    return 1;
  }

  #asked({ prompt, value }: RecordedCall & { readonly kind: 'asked' }): void {
    const { text, uses } = this.#values.template(prompt);
    const gives = this.#values.name('text');
    this.#asks += 1;
    this.#lines.push({ text: `let ${gives} = think<string>(${text})`, gives, uses, stays: false });
    this.#values.know({ name: gives, value, isRead: true });
  }

  #call(tool: Tool, value: unknown, { text, uses }: Pick<Written, 'text' | 'uses'>): void {
    const gives = this.#values.name(nounOf(tool.functionName));
    const isRead = tool.policy.effect === 'none';
    this.#lines.push({ text, gives, uses, stays: !isRead });
    this.#values.know({ name: gives, value, isRead });
  }

  /** Calls of one tool, one for each item of a list: a loop over it. @returns how many. */
  #loop(at: number, tool: Tool): number {
    const { calls } = this.#turn;
    const behind = calls.slice(at).findIndex((each) => each.kind !== 'tool' || each.tool.name !== tool.name);
    const group = calls.slice(at, behind < 0 ? undefined : at + behind).filter((each) => each.kind === 'tool');
    if (group.length < 2) return 0;
    for (const { items, path } of this.#values.lists()) {
      if (items.length !== group.length) continue;
      const written = group.map(({ input }, index) =>
        this.#values.within({ name: this.#item, value: items[index], isRead: true }, () =>
          this.#input(tool, input, false),
        ),
      );
      const [first] = written;
      const isLoop = first?.uses.has(this.#item) && written.every((each) => !each.composed && each.text === first.text);
      if (!first || !isLoop) continue;
      this.#forEach({ tool, path, first, values: group.map(({ value }) => value) });
      return group.length;
    }
    return 0;
  }

  #forEach({ tool, path, first, values }: { tool: Tool; path: string; first: Written; values: unknown[] }): void {
    const isRead = tool.policy.effect === 'none';
    const call = `${tool.functionName}(${first.text})`;
    const uses = new Set([...first.uses, /^\w+/u.exec(path)?.[0] ?? path].filter((name) => name !== this.#item));
    const gives = this.#values.name(`${nounOf(tool.functionName)}s`);
    const head = `for ${this.#item} in ${path} {\n`;
    if (isRead)
      this.#lines.push({
        text: `let ${gives} = []\n${head}${gives} = ${gives} + [${call}]\n}`,
        gives,
        uses,
        stays: false,
      });
    else this.#lines.push({ text: `${head}${call}\n}`, uses, stays: true });
    if (isRead) this.#values.know({ name: gives, value: values, isRead });
  }

  /** @param mayAsk  whether a value that was composed may be asked for. */
  #input(tool: Tool, input: Readonly<Record<string, unknown>>, mayAsk: boolean): Written {
    const schema = toSchema(tool.input, 'input');
    const required = Array.isArray(schema.required) ? schema.required : [];
    const fields = Object.entries(input).map(([field, value]) => {
      const place: Place = { field, schema: propertiesOf(schema)[field], optional: !required.includes(field) };
      const written = this.#values.write(value, place);
      return { field, ...(written.composed && mayAsk ? this.#askFor(tool, field, value) : written) };
    });
    const uses = new Set(fields.flatMap((each) => [...each.uses]));
    const composed = fields.some((each) => each.composed);
    const inOrder = tool.positional.slice(0, fields.length);
    const isPositional = inOrder.length === fields.length && fields.every(({ field }) => inOrder.includes(field));
    const texts = isPositional
      ? inOrder.map((name) => fields.find(({ field }) => field === name)?.text ?? 'null')
      : [`{ ${fields.map(({ field, text }) => `${field}: ${text}`).join(', ')} }`];
    return { text: fields.length === 0 ? '' : texts.join(', '), uses, composed };
  }

  #askFor(tool: Tool, field: string, value: unknown): Written {
    const type = typeOf(value);
    if (type === undefined) throw cannot(`the \`${field}\` of ${tool.functionName} was put together by hand`);
    if (!this.#options.hasModel)
      throw cannot(`the \`${field}\` of ${tool.functionName} was put together, which takes a language model`);
    const what = `${this.#turn.request}\n\nWrite the ${field} for this step: ${oneLine(tool.description)}`;
    const gives = this.#ask(field, type, what);
    return { text: gives, uses: new Set([gives]), composed: false };
  }

  #askForAnswer(): Lines[] {
    const gives = this.#ask('answer', 'string', `${this.#turn.request}\n\nEverything is done: say what came of it.`);
    return [{ text: `print ${gives}`, uses: new Set([gives]), stays: true }];
  }

  #ask(field: string, type: string, prompt: string): string {
    const { text, uses } = this.#values.template(prompt);
    const read = this.#values.known.filter(({ isRead }) => isRead);
    const context = (read.length > 0 ? read : this.#values.known).map(({ name }) => name);
    const gives = this.#values.name(field);
    this.#asks += 1;
    this.#lines.push({
      text: `let ${gives} = think<${type}>(${text})\n  with context: { ${context.join(', ')} }`,
      ...{ gives, uses: new Set([...uses, ...context]), stays: false },
    });
    return gives;
  }

  /** Without a model, what was found is shown as it is. */
  #shown(): Lines[] {
    const read = this.#values.known.filter(({ isRead }) => isRead);
    const shown = read.length > 0 ? read : this.#values.known.slice(-1);
    this.#notes.push('the answer was put into words: the program prints what it found as it is');
    return shown.map(({ name }) => ({ text: `print ${name}`, uses: new Set([name]), stays: true }));
  }

  #source(name: string): string {
    const needed = this.#options.readsAll ? this.#lines : neededLines(this.#lines);
    const used = new Set(needed.flatMap((each) => [...each.uses]));
    const params = this.#values.params.filter((param) => used.has(param.name));
    const text = [
      `// ${preview(oneLine(this.#turn.request), 200)}`,
      ...params.map((param) => {
        const usual = typeof param.value === 'string' ? quoted(param.value) : numberText(param.value);
        return `param ${param.name}: ${param.type} = ${usual}`;
      }),
      '',
      ...needed.map((each) => (each.gives && used.has(each.gives) ? given(each.gives, each.text) : each.text)),
      '',
    ].join('\n');
    const { program } = parse(text, { file: `${name}.tl` });
    const source = printProgram(program, text);
    const { ok, main } = checkSource(source, `${name}.tl`, { read: readSource, tools: this.#options.callable });
    const error = main.diagnostics.find(({ severity }) => severity === 'error');
    if (ok || !error) return source;
    throw cannot(`what came of it is no program: ${renderDiagnostic(error, source)}`);
  }
}

/** A call whose value is used gets a name. */
function given(name: string, text: string): string {
  return text.startsWith('let ') ? text : `let ${name} = ${text}`;
}

/** What acts or prints, and what that needs. */
function neededLines(lines: readonly Lines[]): readonly Lines[] {
  const used = new Set<string>();
  const kept = lines.toReversed().filter(({ stays, gives, uses }) => {
    const isNeeded = stays || (gives !== undefined && used.has(gives));
    if (isNeeded) for (const name of uses) used.add(name);
    return isNeeded;
  });
  return kept.toReversed();
}

/** What a function gives, by its name: `listNotes` gives `notes`. */
function nounOf(functionName: string): string {
  const words = wordsOf(functionName);
  return words.length < 2 ? 'result' : (words.at(-1) ?? 'result');
}

/** The type of a value in the language; undefined for records, whose fields would have to be declared. */
function typeOf(value: unknown): string | undefined {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  if (!Array.isArray(value) || value.length === 0 || isRecord(value[0])) return undefined;
  const inner = typeOf(value[0]);
  return inner && `${inner}[]`;
}

function cannot(why: string): AssistantError {
  return new AssistantError('bad_usage', `That cannot be saved as a program: ${why}.`, {
    hint: 'docs/programs.md says what a program can do.',
  });
}
