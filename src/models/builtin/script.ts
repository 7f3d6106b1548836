import type { Action } from './intent.ts';
import { functionOf } from './model-input.ts';
import { NOTHING_FOUND } from './report.ts';

/** The part of a script that belongs to one action. */
interface Piece {
  /** Arguments in positional order. */
  readonly args: readonly unknown[];
  /** A line between the call and the answer. */
  readonly setup?: (result: string) => string;
  /** An expression for the answer, given the name that holds the result. */
  readonly answer: (result: string) => string;
}

/** The fenced block that does what the request amounts to and answers only with what came back. */
export function toScript(actions: readonly Action[]): string {
  const steps = actions.map((action, index) => {
    const { args, setup, answer } = piece(action);
    const name = actions.length === 1 ? 'result' : `result${index + 1}`;
    const values = args.map((arg) => JSON.stringify(arg)).join(', ');
    const call = `const ${name} = await ${functionOf(action.tool)}(${values});`;
    return { lines: setup ? [call, setup(name)] : [call], answer: answer(name) };
  });
  const answers = steps.map(({ answer }) => answer);
  const last = answers.length === 1 ? answers[0] : `[\n  ${answers.join(',\n  ')},\n].join('\\n')`;
  return `\`\`\`js\n${steps.flatMap(({ lines }) => lines).join('\n')}\nfinalAnswer(${last});\n\`\`\``;
}

function piece({ tool, input, about }: Action): Piece {
  // Each channel has its own tool, which takes the text alone.
  const make = PIECES[tool.endsWith('_notify') ? 'notify' : tool];
  return make ? make(input, about) : { args: [input], answer: (result) => `String(${result})` };
}

/** A value as source text; JSON is a subset of JavaScript, so no text can break out of it. */
const text = (value: unknown) => JSON.stringify(value);
const asGiven = (result: string) => result;

/** By tool. The texts are those of report.ts, so that both modes answer alike. */
const PIECES: Readonly<Record<string, (input: Action['input'], about: string | undefined) => Piece>> = {
  write_note: (input) => ({ args: [input.text], answer: () => text(`Noted: ${input.text}`) }),
  list_notes: (_input, about) => listed(about),
  schedule: (input, about) => ({
    args: [input.when, input.text],
    answer: (result) => `${text(`Scheduled ${about ?? `${input.when}: ${input.text}`} (`)} + ${result}.id + ').'`,
  }),
  list_schedules: () => ({
    args: [],
    answer: (result) =>
      `${result}.map((job) => \`- \${job.id}: \${job.text} (\${job.when})\`).join('\\n') || 'Nothing is scheduled.'`,
  }),
  cancel_schedule: (input) => ({ args: [input.id], answer: asGiven }),
  list_directory: (input) => ({
    args: [input.path],
    answer: (result) => `${result}.join('\\n') || 'The folder is empty.'`,
  }),
  query_rag: (input) => ({
    args: [input.query],
    // The answer quotes the documents and cites each quotation.
    answer: (result) => `${result}.answer || ${text(NOTHING_FOUND)}`,
  }),
  notify: (input) => ({ args: input.to === undefined ? [input.text] : [input.text, input.to], answer: asGiven }),
  read_file: (input) => ({ args: [input.path], answer: asGiven }),
  write_file: (input) => ({ args: [input.path, input.content], answer: asGiven }),
  web_search: (input) => ({
    args: [input.query],
    answer: (result) =>
      [
        `${result}.results.slice(0, 5).map((r) => \`- \${r.title}\\n  \${r.snippet}\\n  \${r.url}\`).join('\\n')`,
        text(`The web search for "${input.query}" found nothing.`),
      ].join(' || '),
  }),
  fetch_text: (input) => ({
    args: [input.url],
    answer: (result) => `String(${result}).slice(0, 2000) + ${text(`\n\nSource: ${input.url}`)}`,
  }),
};

/** The items under a heading, or that there are none. */
function listed(list: string | undefined): Piece {
  const mark = text(`${list}:`);
  const [heading, none] =
    list === undefined ? ['Your notes', 'There are no notes yet.'] : [`Your ${list}`, `Your ${list} is empty.`];
  const own = list === undefined ? '' : `.filter((note) => note.text.includes(${mark}))`;
  const item = list === undefined ? 'note.text' : `note.text.split(${mark})[1].trim()`;
  return {
    args: [],
    setup: (result) => `const items = ${result}${own}.map((note) => ${item});`,
    answer: () => `items.length > 0 ? ${text(`${heading}:\n- `)} + items.join('\\n- ') : ${text(none)}`,
  };
}
