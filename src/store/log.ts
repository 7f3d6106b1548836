import { join } from 'node:path';
import { type DestinationStream, destination, type Level, pino } from 'pino';
import { makeFolder } from '../base/folders.ts';
import type { Log } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import { localDate } from '../when/calendar.ts';

export interface LogOptions {
  /** Folder of the JSONL files, one per day of the owner. */
  readonly dir: string;
  /** The owner's IANA zone. */
  readonly timeZone: string;
  readonly level: Level | 'silent';
  /** Also to stderr, for `--verbose`. */
  readonly verbose: boolean;
}

export interface LogFiles extends Log {
  /** Close the file. Later lines are dropped. */
  close(): void;
}

/**
 * A log in JSON lines. Every finished line passes through the redactor, and writes are synchronous, so a crash loses
 * nothing.
 */
export function createLog(options: LogOptions, redactor: Redactor, now: () => Date = () => new Date()): LogFiles {
  const files = dailyFile(options, now);
  const logger = pino(
    { base: null, level: levelOf(options), hooks: { streamWrite: (line) => redactor.redact(line) } },
    files,
  );
  const at =
    (level: Level): Log['info'] =>
    (message, fields) =>
      logger[level](fields ?? {}, message);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), close: files.close };
}

/** A synchronous file that changes at midnight, since `wooster serve` runs for many days. */
function dailyFile(options: LogOptions, now: () => Date): DestinationStream & { close(): void } {
  const dayNow = () => localDate(now(), options.timeZone);
  let day = dayNow();
  let file = options.level === 'silent' ? undefined : openedFile(options.dir, day);
  return {
    write(line) {
      const today = dayNow();
      if (file && today !== day) {
        file = rolled(file, options.dir, today);
        day = today;
      }
      file?.write(line);
      if (options.verbose) process.stderr.write(consoleLine(line));
    },
    close() {
      file?.end();
      file = undefined;
    },
  };
}

type LogFile = ReturnType<typeof destination>;

/** If today's file cannot be opened, yesterday's stays in use. */
function rolled(file: LogFile, dir: string, day: string): LogFile {
  const next = openedFile(dir, day);
  if (next) file.end();
  return next ?? file;
}

/** @returns undefined when it cannot be written: logging must never stop the work. `wooster doctor` reports it. */
function openedFile(dir: string, day: string): LogFile | undefined {
  try {
    makeFolder(dir);
    const file = destination({ dest: join(dir, `${day}.jsonl`), sync: true, append: true });
    // The disk may be full, for example. The lines are lost.
    file.on('error', () => {});
    return file;
  } catch {
    return undefined;
  }
}

/** `--verbose` shows individual steps, which would be too many for the files. */
function levelOf({ level, verbose }: LogOptions): LogOptions['level'] {
  return verbose && level === 'info' ? 'debug' : level;
}

/** Steps of the agent (`[Compaction] …`) are shown as text; everything else stays JSON. */
function consoleLine(line: string): string {
  const step = /"msg":"(\[\w+\] (?:[^"\\]|\\.)*)"/u.exec(line)?.[1];
  return step === undefined ? line : `${JSON.parse(`"${step}"`)}\n`;
}
