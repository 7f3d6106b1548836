import { fstatSync, statSync } from 'node:fs';
import { type DestinationStream, destination, type Level, pino } from 'pino';
import { makeFolder } from '../base/folders.ts';
import type { Log } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import { localDate, localTime } from '../when/calendar.ts';
import { forgetLogs, type LogLimits, logFile, setAside } from './log-files.ts';

export interface LogOptions {
  /** Folder of the JSONL files, one per day of the owner. */
  readonly dir: string;
  /** The owner's IANA zone. */
  readonly timeZone: string;
  readonly level: Level | 'silent';
  /** Also to stderr, for `--verbose`: as lines for people unless `json` is set. */
  readonly verbose: boolean;
  readonly json?: boolean;
  /** What is kept of the files; all of it unless given. */
  readonly limits?: LogLimits;
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

/** So many files fill the room of all. */
const FILES = 10;
/** Lines between two looks at how large the file is; other programs write to it as well. */
const LOOK_LINES = 200;

/** A synchronous file that changes at midnight and when it is full, since `wooster serve` runs for many days. */
function dailyFile(options: LogOptions, now: () => Date): DestinationStream & { close(): void } {
  const dayNow = () => localDate(now(), options.timeZone);
  let day = dayNow();
  let file = options.level === 'silent' ? undefined : openedFile(options, day);
  let lines = 0;
  return {
    write(line) {
      const today = dayNow();
      const isFull = ++lines % LOOK_LINES === 0 && file !== undefined && putAside(file, options, day);
      if (file && (today !== day || isFull)) {
        file = rolled(file, options, today);
        day = today;
      }
      file?.write(line);
      if (options.verbose) process.stderr.write(options.json ? line : consoleLine(line, options.timeZone));
    },
    close() {
      file?.end();
      file = undefined;
    },
  };
}

type LogFile = ReturnType<typeof destination>;

/** If today's file cannot be opened, yesterday's stays in use. */
function rolled(file: LogFile, options: LogOptions, day: string): LogFile {
  const next = openedFile(options, day);
  if (next) file.end();
  return next ?? file;
}

/** @returns undefined when it cannot be written: logging must never stop the work. `wooster doctor` reports it. */
function openedFile({ dir, limits }: LogOptions, day: string): LogFile | undefined {
  return tried(() => {
    makeFolder(dir);
    if (limits) forgetLogs(dir, day, limits);
    const file = destination({ dest: logFile(dir, day), sync: true, append: true, mode: 0o600 });
    // The disk may be full, for example. The lines are lost.
    file.on('error', () => {});
    return file;
  });
}

/** Put a full file aside, unless another program has done so already. @returns whether it is full. */
function putAside(file: LogFile, { dir, limits }: LogOptions, day: string): boolean {
  const full = tried(() => {
    const { size, ino } = fstatSync((file as unknown as { readonly fd: number }).fd);
    if (!limits || size <= limits.bytes / FILES) return false;
    if (statSync(logFile(dir, day)).ino === ino) setAside(dir, day);
    return true;
  });
  return full === true;
}

function tried<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** `--verbose` shows individual steps, which would be too many for the files. */
function levelOf({ level, verbose }: LogOptions): LogOptions['level'] {
  return verbose && level === 'info' ? 'debug' : level;
}

/** `13:51:08 info  run ended job=job_1 state=succeeded`; steps of the agent (`[Compaction] …`) are their text alone. */
function consoleLine(line: string, timeZone: string): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as { level: number; time: number; msg: string };
  if (/^\[\w+\] /u.test(msg)) return `${msg}\n`;
  const at = localTime(new Date(time), timeZone).slice(11, 19);
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${fieldText(value)}`);
  return `${[at, (pino.levels.labels[level] ?? '').padEnd(5), msg, ...rest].join(' ')}\n`;
}

function fieldText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[^\s"=]*$/u.test(text) ? text : JSON.stringify(text);
}
