/** Writes docs/long-work.md from a real run: the program works against a scripted model server, is killed, and continues. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { startWalkingServer } from './walking-server.ts';

const ROOT = resolve(import.meta.dirname, '..');
const FIELDS = 24;
const TASK = 'Count the sheep in every field of fields.txt, ten lines each, and note each field down.';

const home = mkdtempSync(join(tmpdir(), 'wooster-long-'));
const { url, server } = await startWalkingServer(FIELDS);
try {
  mkdirSync(join(home, 'projects', 'home'), { recursive: true });
  writeFileSync(join(home, 'projects', 'home', 'fields.txt'), fieldsFile());
  const killed = await wooster(['ask', TASK, '-c', 'sheep', '--verbose'], 15);
  const sessions = await wooster(['sessions']);
  const resumed = await wooster(['resume', 'sheep', '--yes', '--verbose']);
  const after = await wooster(['sessions']);
  const later = await wooster(['export', 'sheep']);
  const journal = readFileSync(join(home, 'projects', 'home', 'home.md'), 'utf8');
  writeFileSync(join(ROOT, 'docs', 'long-work.md'), page({ killed, sessions, resumed, after, later, journal }));
} finally {
  server.close();
  rmSync(home, { recursive: true, force: true });
}

/** Ten lines per field, enough to fill a small window. */
function fieldsFile(): string {
  const lines = Array.from({ length: FIELDS }, (_, field) =>
    Array.from(
      { length: 10 },
      (_, row) =>
        `field ${field + 1}: sheep in row ${row + 1}: ${((field * 7 + row * 3) % 9) + 1}, all grazing quietly`,
    ),
  );
  return `${lines.flat().join('\n')}\n`;
}

/** A command and what it printed. */
interface Seen {
  readonly command: string;
  readonly output: string;
}

/** Run the real program; with `killAt` it is killed after that many requests to the model. */
async function wooster(args: readonly string[], killAt = Number.POSITIVE_INFINITY): Promise<Seen> {
  const env = { ...process.env, OPENAI_BASE_URL: url, OPENAI_MODEL_NAME: 'walker', CONTEXT_WINDOW_TOKENS: '6144' };
  const child = spawn(process.execPath, [join(ROOT, 'src/main.ts'), ...args, '--home', home], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const take = (text: string) => {
    output += text;
    if (output.split('[prepareStep]').length > killAt) child.kill('SIGKILL');
  };
  child.stdout.setEncoding('utf8').on('data', take);
  child.stderr.setEncoding('utf8').on('data', take);
  const signal = await new Promise<string | null>((end) => child.on('close', (_code, by) => end(by)));
  const words = args.map((arg) => (/\s/u.test(arg) ? JSON.stringify(arg) : arg));
  return {
    command: `bin/wooster ${words.join(' ')}`,
    output: `${readable(output)}${signal === 'SIGKILL' ? 'Killed' : ''}`.trim(),
  };
}

/** The output without the log's JSON lines, and with the temporary home replaced by a name. */
function readable(output: string): string {
  const lines = stripVTControlCharacters(output).replaceAll(home, 'HOME').split('\n');
  return lines.filter((line) => !line.startsWith('{')).join('\n');
}

function page(seen: Record<'killed' | 'sessions' | 'resumed' | 'after' | 'later', Seen> & { journal: string }): string {
  const counted = [...seen.journal.matchAll(/Counted field (\d+)\./gu)].map((match) => Number(match[1]));
  const twice = counted.filter((field, index) => counted.indexOf(field) !== index);
  const repeated = twice.length === 0 ? 'none' : twice.join(', ');
  const answer = seen.later.output.split('\n').slice(-3).join('\n');
  return `# Long work: compaction, a kill, and the end

Recorded by \`npm run docs:long-work\`: the real program with a scripted model server (${FIELDS} fields of sheep, two tool
calls each) and a context window of 6,144 tokens, too small for the work. Only the log's JSON lines were removed.
\`[prepareStep]\` counts a request before it is sent; \`[Compaction]\` is a round of summarising.

## The work starts and is killed with \`kill -9\`

${shown(seen.killed)}

## The program knows what was interrupted

${shown(seen.sessions)}

## It continues where it stopped

The saved steps and summaries are loaded; calls that were made before the kill are not made again.

${shown(seen.resumed)}

${shown(seen.after)}

## Nothing is missing, nothing was done twice

The project's journal has ${counted.length} notes for ${FIELDS} fields; fields noted twice: ${repeated}.
The conversation ends with:

\`\`\`text
${answer}
\`\`\`
`;
}

function shown({ command, output }: Seen): string {
  return `\`\`\`text\n$ ${command}\n${output}\n\`\`\``;
}
