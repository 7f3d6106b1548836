import { accessSync, appendFileSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Programs that some tests need and a machine may lack, with the Debian package of each. `.ci/run` installs them all. */
export const PROGRAMS = {
  radicale: 'radicale',
  dovecot: 'dovecot-imapd',
  bwrap: 'bubblewrap',
  strace: 'strace',
  faketime: 'faketime',
  openssl: 'openssl',
  bash: 'bash',
  groff: 'groff',
  fish: 'fish',
  zsh: 'zsh',
  chromium: 'chromium',
} as const;
type Program = keyof typeof PROGRAMS;

/** Where Debian puts servers is not in everybody's path. */
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
/** A file in which the processes of one run write what they lacked. */
const LACKING = 'WOOSTER_TESTS_LACKING';

/**
 * Whether these programs are here, for `test.runIf(needs('radicale'))`. What is absent is named once at the end of the
 * run.
 *
 * @throws Error where WOOSTER_TESTS_NEED_ALL is set and one is absent.
 */
export function needs(...programs: readonly Program[]): boolean {
  const absent = programs.filter((name) => !isInstalled(name));
  for (const name of absent) lacks(name);
  return absent.length === 0;
}

/** A test is skipped for the lack of this program, be it absent or of no use here. */
export function lacks(program: Program, why = `install it: apt-get install ${PROGRAMS[program]}`): void {
  if (process.env.WOOSTER_TESTS_NEED_ALL)
    throw new Error(`WOOSTER_TESTS_NEED_ALL is set, and this test cannot use ${program}: ${why}`);
  cannotBeHad(program, why);
}

/** The same for what nobody can install here. */
export function cannotBeHad(what: Program | 'the engine of local models', why: string): void {
  const file = process.env[LACKING];
  if (file) appendFileSync(file, `${what}: ${why}\n`);
}

function isInstalled(program: Program): boolean {
  return FOLDERS.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Vitest calls it once, before the first test of a run. @returns what it calls after the last. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'wooster-needs-'));
  const file = join(folder, 'lacking');
  writeFileSync(file, '');
  process.env[LACKING] = file;
  return () => {
    const report = lackingReport(readFileSync(file, 'utf8'));
    if (report) process.stdout.write(report);
    rmSync(folder, { recursive: true });
  };
}

/** What was skipped, once each, and one line that installs what is absent. Empty when nothing was. */
export function lackingReport(lines: string): string {
  const lacking = new Map(
    lines
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [program, ...why] = line.split(': ');
        return program ? [[program as Program, why.join(': ')] as const] : [];
      }),
  );
  if (lacking.size === 0) return '';
  const absent = [...lacking].filter(([, why]) => why.startsWith('install it')).map(([name]) => PROGRAMS[name]);
  const unusable = [...lacking].filter(([, why]) => !why.startsWith('install it'));
  return [
    `\nTests were skipped that need ${[...lacking.keys()].sort().join(', ')}.`,
    ...unusable.map(([name, why]) => `  ${name} is of no use here: ${why}`),
    ...(absent.length > 0 ? [`  apt-get install ${absent.sort().join(' ')}`] : []),
    '',
  ].join('\n');
}
