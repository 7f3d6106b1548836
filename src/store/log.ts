import { join } from 'node:path';
import { type DestinationStream, destination, type Level, pino } from 'pino';
import { makeFolder } from '../base/folders.ts';
import type { Log } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';

export interface LogOptions {
  /** Folder of the JSONL files, one per local day. */
  readonly dir: string;
  readonly level: Level | 'silent';
  /** Also to stderr, for `--verbose`. */
  readonly verbose: boolean;
}

/** A log whose every finished line went through the redactor. Writes are synchronous: a crash loses nothing. */
export function createLog(options: LogOptions, redactor: Redactor, now: () => Date = () => new Date()): Log {
  const logger = pino(
    { base: null, level: levelOf(options), hooks: { streamWrite: (line) => redactor.redact(line) } },
    dailyFile(options, now),
  );
  const at =
    (level: Level): Log['info'] =>
    (message, fields) =>
      logger[level](fields ?? {}, message);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** pino's sync destination, changed at midnight: a long-running `serve` must not keep yesterday's file. */
function dailyFile(options: LogOptions, now: () => Date): DestinationStream {
  let day = '';
  let file: ReturnType<typeof destination> | undefined;
  return {
    write(line) {
      const today = localDay(now());
      if (today !== day) {
        file?.end();
        makeFolder(options.dir);
        file = destination({ dest: join(options.dir, `${today}.jsonl`), sync: true, append: true });
        day = today;
      }
      file?.write(line);
      if (options.verbose) process.stderr.write(consoleLine(line));
    },
  };
}

/** On the console one wants to follow the steps, which are too many for the files. */
function levelOf({ level, verbose }: LogOptions): LogOptions['level'] {
  return verbose && level === 'info' ? 'debug' : level;
}

/** Steps of the agent (`[Compaction] …`) are written for people; everything else stays JSON. */
function consoleLine(line: string): string {
  const step = /"msg":"(\[\w+\] (?:[^"\\]|\\.)*)"/u.exec(line)?.[1];
  return step === undefined ? line : `${JSON.parse(`"${step}"`)}\n`;
}

function localDay(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
