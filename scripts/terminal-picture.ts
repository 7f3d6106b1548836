/**
 * Draws docs/terminal.svg: plays the README's transcript on a real pseudo-terminal in an empty home and paints what was
 * shown. Run it after the transcript or the look of the prompt has changed: `npm run docs:picture`.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import xterm from '@xterm/headless';

const ROOT = resolve(import.meta.dirname, '..');
/** As large as the pseudo-terminal. */
const SIZE = { cols: 80, rows: 24 } as const;
/** The session takes some three seconds. */
const LIMIT_MS = 30_000;
const CELL = { width: 8.4, height: 20 } as const;
const MARGIN = 20;
const COLOURS = { paper: '#1b1f27', text: '#d8dee9', dim: '#7b8494', prompt: '#88c0d0', answer: '#a3be8c' } as const;

interface Line {
  readonly text: string;
  readonly colour: string;
}

/** The lines that the README's reader types. */
function typedLines(): string[] {
  const page = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const transcript = /^```text\n(\$ .*?)^```$/msu.exec(page)?.[1] ?? '';
  return [...transcript.matchAll(/^> (.*)$/gmu)].map((match) => match[1] ?? '');
}

/**
 * Type all lines once the prompt is there: each waits until the one before it is answered.
 *
 * @returns the terminal with all that stays on it
 * @throws Error with what was shown so far, when the session does not end in time
 */
async function play(lines: readonly string[], home: string): Promise<xterm.Terminal> {
  const env = {
    PATH: process.env.PATH,
    WOOSTER_HOME: home,
    ROUTING_LOCAL_ENABLED: 'false',
    TZ: 'UTC',
    TERM: 'xterm-256color',
  };
  const program = [join(ROOT, 'scripts/on-terminal.py'), join(ROOT, 'bin/wooster')];
  const child = spawn('python3', program, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const terminal = new xterm.Terminal({ ...SIZE, allowProposedApi: true });
  terminal.onData((answer) => child.stdin.write(answer));
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    const wasThere = shown.includes('> ');
    shown += part;
    if (!wasThere && shown.includes('> ')) for (const line of lines) child.stdin.write(`${line}\r`);
    terminal.write(part);
  });
  const deadline = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  const signal = await new Promise((resolve) => child.once('close', (_code, name) => resolve(name)));
  clearTimeout(deadline);
  if (signal !== null) throw new Error(`The session did not end within ${LIMIT_MS / 1000} s. It showed:\n${shown}`);
  await new Promise<void>((resolve) => terminal.write('', resolve));
  return terminal;
}

/** The rows of the terminal, those scrolled away included. An answer keeps its colour when it is longer than a row. */
function screenLines({ buffer: { active } }: xterm.Terminal): Line[] {
  const lines: Line[] = [];
  for (let row = 0; row < active.length; row += 1) {
    const text = active.getLine(row)?.translateToString(true) ?? '';
    const isDim = active.getLine(row)?.getCell(0)?.isDim() !== 0;
    lines.push({ text, colour: isDim ? COLOURS.dim : colourOf(text, lines.at(-1)?.colour) });
  }
  return lines.slice(0, lines.findLastIndex(({ text }) => text !== '') + 1);
}

function colourOf(text: string, above: string | undefined): string {
  if (text.startsWith('> ')) return COLOURS.prompt;
  return text.startsWith('Wooster: ') || above === COLOURS.answer ? COLOURS.answer : COLOURS.text;
}

function svg(lines: readonly Line[]): string {
  const width = SIZE.cols * CELL.width + 2 * MARGIN;
  const height = lines.length * CELL.height + 2 * MARGIN;
  const rows = lines.map(({ text, colour }, row) => {
    const y = MARGIN + (row + 0.75) * CELL.height;
    return `  <text x="${MARGIN}" y="${y}" fill="${colour}" xml:space="preserve">${escaped(text)}</text>`;
  });
  const font = 'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14"';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" ${font}>`,
    '  <title>A session with Wooster in a terminal</title>',
    `  <rect width="100%" height="100%" rx="8" fill="${COLOURS.paper}"/>`,
    ...rows,
    '</svg>\n',
  ].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const home = mkdtempSync(join(tmpdir(), 'wooster-picture-'));
try {
  const lines = screenLines(await play(typedLines(), home));
  const command = { text: '$ npm start', colour: COLOURS.dim };
  writeFileSync(join(ROOT, 'docs/terminal.svg'), svg([command, ...lines]));
} finally {
  rmSync(home, { recursive: true, force: true });
}
