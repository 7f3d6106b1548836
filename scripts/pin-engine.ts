/**
 * Pins the engine of local models: `node scripts/pin-engine.ts VERSION` asks npm for a lock of node-llama-cpp and of its
 * compiled package for each system, and writes src/models/local/engine/lock.json.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const OUT = resolve(import.meta.dirname, '../src/models/local/engine/lock.json');
/** Those that need only the processor; Apple's can always compute on its graphics part. */
const SYSTEMS = ['linux-x64', 'linux-arm64', 'mac-arm64-metal', 'mac-x64', 'win-x64', 'win-arm64'];

type Entry = Record<string, unknown>;

function lockOf(dependencies: Readonly<Record<string, string>>): Record<string, Entry> {
  const folder = mkdtempSync(join(tmpdir(), 'wooster-pin-'));
  try {
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'wooster-engine', private: true, dependencies }),
    );
    // Forced, since packages of other systems are meant.
    const flags = ['--package-lock-only', '--force', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['install', ...flags], { cwd: folder, stdio: 'inherit' });
    const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, Entry>;
    };
    return lock.packages;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Without what is optional, which is neither wanted nor the same everywhere. */
function needed(packages: Readonly<Record<string, Entry>>, keep: string): Record<string, Entry> {
  const entries = Object.entries(packages).filter(
    ([at, { optional }]) => at !== '' && (!optional || at.endsWith(keep)),
  );
  return Object.fromEntries(
    entries.map(([at, { optional: _, optionalDependencies: __, resolved: ___, ...entry }]) => [at, entry]),
  );
}

const [version] = process.argv.slice(2);
if (version === undefined) throw new Error('Usage: node scripts/pin-engine.ts VERSION');
const packages: Record<string, Entry> = {};
for (const system of SYSTEMS) {
  const name = `@node-llama-cpp/${system}`;
  Object.assign(packages, needed(lockOf({ 'node-llama-cpp': version, [name]: version }), name));
}
const sorted = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(OUT, `${JSON.stringify({ lockfileVersion: 3, packages: sorted }, undefined, 2)}\n`);
