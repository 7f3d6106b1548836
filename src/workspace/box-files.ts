import { posix } from 'node:path';
import { AssistantError } from '../base/errors.ts';
import type { EditText, Entry, FileSpace } from '../tools/builtin/project-files.ts';
import type { Box, BoxResult } from './backend.ts';

const ROOT = '/workspace';
const FILE_TIMEOUT_MS = 10_000;

/** Exit codes of the scripts below: the path resolves to outside /workspace, it does not exist, it is too large. */
const OUTSIDE = 90;
const MISSING = 91;
const TOO_LARGE = 92;

const MAX_READ_BYTES = 5_000_000;

/** Resolves links first, so that the check and the access see the same path. */
const GUARD = `p=$(realpath -m -- "$1") || exit ${MISSING}; case "$p/" in ${ROOT}/*) ;; *) exit ${OUTSIDE} ;; esac`;
const READ = `${GUARD}; [ -f "$p" ] || exit ${MISSING}
[ "$(stat -c %s -- "$p")" -le ${MAX_READ_BYTES} ] || exit ${TOO_LARGE}; base64 -w0 -- "$p"`;
/** Renames a finished copy, so that a reader never sees half a file. */
const WRITE = `${GUARD}; mkdir -p -- "$(dirname -- "$p")" && base64 -d > "$p.part" && mv -f -- "$p.part" "$p"`;
const LIST = `${GUARD}; [ -d "$p" ] || exit ${MISSING}
cd -- "$p" && find . -mindepth 1 -maxdepth 1 -exec stat -c '%F|%s|%n' {} +`;
const FILES = `${GUARD}; [ -e "$p" ] || exit ${MISSING}
find "$p" -name '.?*' -prune -o -type f -exec stat -c '%s|%n' {} +`;
const DELETE = `${GUARD}; [ -f "$p" ] || exit ${MISSING}; rm -- "$p"`;
/** The second name is checked like the first. */
const MOVE = `${GUARD}; [ -f "$p" ] || exit ${MISSING}; from=$p; set -- "$2"; ${GUARD}
mkdir -p -- "$(dirname -- "$p")" && mv -n -- "$from" "$p"`;
const EXISTS = `${GUARD}; [ -e "$p" ]`;

/**
 * File access for the file tools inside a box. Paths are resolved and checked inside as well, so that no link leads out
 * and no running command can swap a folder between the check and the access on the host.
 */
export class BoxFiles implements FileSpace {
  readonly #boxOf: () => Promise<Box>;

  constructor(boxOf: () => Promise<Box>) {
    this.#boxOf = boxOf;
  }

  async read(_project: string, path: string): Promise<string> {
    const { stdout } = check(await this.#run(READ, [inside(path)]), path);
    return Buffer.from(stdout, 'base64').toString('utf8');
  }

  async write(_project: string, path: string, content: string): Promise<void> {
    check(await this.#run(WRITE, [inside(path)], Buffer.from(content).toString('base64')), path);
  }

  async edit(project: string, path: string, change: EditText): Promise<string> {
    const there = await this.exists(project, path);
    const after = await change(there ? await this.read(project, path) : undefined);
    await this.write(project, path, after);
    return after;
  }

  async move(_project: string, { from, to }: { from: string; to: string }): Promise<void> {
    check(await this.#run(MOVE, [inside(from), inside(to)]), from);
  }

  async delete(_project: string, path: string): Promise<void> {
    check(await this.#run(DELETE, [inside(path)]), path);
  }

  async list(_project: string, path: string): Promise<Entry[]> {
    const { stdout } = check(await this.#run(LIST, [inside(path)]), path);
    const entries = stdout.split('\n').flatMap((line): Entry[] => {
      const [, type, size, name] = /^([^|]*)\|(\d+)\|\.\/(.*)$/u.exec(line) ?? [];
      if (name === undefined) return [];
      return type === 'directory' ? [{ name, folder: true }] : [{ name, folder: false, bytes: Number(size) }];
    });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async files(_project: string, path: string): Promise<{ path: string; bytes: number }[]> {
    const { stdout } = check(await this.#run(FILES, [inside(path)]), path);
    const files = stdout.split('\n').flatMap((line) => {
      const [, size, file] = /^(\d+)\|(.*)$/u.exec(line) ?? [];
      return file === undefined ? [] : [{ path: posix.relative(ROOT, file), bytes: Number(size) }];
    });
    return files.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  async exists(_project: string, path: string): Promise<boolean> {
    const result = await this.#run(EXISTS, [inside(path)]);
    return result.exitCode === 0;
  }

  async #run(script: string, paths: readonly string[], stdin?: string): Promise<BoxResult> {
    const box = await this.#boxOf();
    const signal = AbortSignal.timeout(FILE_TIMEOUT_MS);
    return box.run({
      argv: ['sh', '-c', script, 'sh', ...paths],
      stdin,
      timeoutMs: FILE_TIMEOUT_MS,
      signal,
      maxOutputChars: 2 * MAX_READ_BYTES,
    });
  }
}

/** @throws AssistantError `path_refused` when the path as written is outside /workspace. */
function inside(path: string): string {
  const place = posix.resolve(ROOT, path);
  if ((place !== ROOT && !place.startsWith(`${ROOT}/`)) || path.includes('\0')) throw outside(path);
  return place;
}

function check(result: BoxResult, path: string): BoxResult {
  if (result.exitCode === OUTSIDE) throw outside(path);
  if (result.exitCode === MISSING) {
    const hint = 'list_directory shows what is there.';
    throw new AssistantError('file_not_found', `${path} is not in the workspace. ${hint}`, { hint });
  }
  if (result.exitCode === TOO_LARGE)
    throw new Error(`${path} is larger than ${MAX_READ_BYTES} bytes; read part of it with execute_command`);
  if (result.exitCode !== 0) throw new Error(`${path}: ${result.stderr.trim() || `exit ${result.exitCode}`}`);
  return result;
}

function outside(path: string): AssistantError {
  const hint = 'Give a path below /workspace.';
  return new AssistantError(
    'path_refused',
    `${JSON.stringify(path)} is refused: it is outside the workspace. ${hint}`,
    {
      hint,
    },
  );
}
