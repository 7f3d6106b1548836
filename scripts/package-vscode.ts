/**
 * Package the extension for VS Code as a .vsix, which `code --install-extension` takes: `npm run package:vscode`.
 * It needs a network once: for the language client, and for the packager of VS Code itself.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './bundle.ts';

const FOLDER = join(ROOT, 'editors/vscode');
const PACKAGER = '@vscode/vsce@4.1.0';

const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: FOLDER, stdio: 'inherit' });

run('npm', 'ci', '--no-audit', '--no-fund', '--ignore-scripts');
run(process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'), '--project', '.');
await build({
  absWorkingDir: FOLDER,
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  ...{ bundle: true, minify: true, format: 'cjs', platform: 'node', target: 'node20', external: ['vscode'] },
  legalComments: 'none',
  logLevel: 'warning',
});
copyFileSync(join(ROOT, 'LICENSE'), join(FOLDER, 'LICENSE'));
const { name, version } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')) as Record<string, string>;
const vsix = `dist/${name}-${version}.vsix`;
run('npx', '--yes', PACKAGER, 'package', '--no-dependencies', '--allow-missing-repository', '--out', vsix);
console.log(`code --install-extension editors/vscode/${vsix}`);
