import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from './home.ts';
import { webServer } from './web-server.ts';

/** Files of a package by path, `package.json` among them. */
type PackageFiles = Readonly<Record<string, string>>;

export interface NpmRegistry {
  /** What npm has to be told, to ask this registry and keep nothing. */
  readonly env: Readonly<Record<string, string>>;
  /** What was asked for, in order. */
  readonly asked: () => readonly string[];
  publish(files: PackageFiles): void;
}

/** A registry of npm on this machine: the documents of its packages, and its packages. */
export async function npmRegistry(): Promise<NpmRegistry> {
  const dir = temporaryFolder();
  const versions = new Map<string, Record<string, object>>();
  const packed = new Map<string, Buffer>();
  const server = await webServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const [file, known] = [packed.get(path), versions.get(path)];
    if (file) response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(file);
    else if (known) response.writeHead(200, { 'content-type': 'application/json' }).end(documentOf(path, known));
    else response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
  });
  return {
    env: { npm_config_registry: `${server.origin}/`, npm_config_cache: join(dir, 'cache') },
    asked: () => server.received.map(({ url }) => decodeURIComponent(url)),
    publish(files) {
      const about = JSON.parse(files['package.json'] ?? '{}') as { name: string; version: string };
      const tarball = pack(mkdtempSync(join(dir, 'package-')), files);
      const path = `${about.name}/-/${about.version}.tgz`;
      packed.set(path, tarball);
      const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
      const dist = { tarball: `${server.origin}/${path}`, integrity };
      versions.set(about.name, { ...versions.get(about.name), [about.version]: { ...about, dist } });
    },
  };
}

function documentOf(name: string, versions: Record<string, object>): string {
  return JSON.stringify({ name, versions, 'dist-tags': { latest: Object.keys(versions).at(-1) } });
}

function pack(folder: string, files: PackageFiles): Buffer {
  for (const [path, content] of Object.entries(files)) {
    const place = join(folder, 'package', path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content);
  }
  execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder });
  return readFileSync(join(folder, 'package.tgz'));
}
