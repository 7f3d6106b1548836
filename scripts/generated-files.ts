import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { generateSettingFiles } from '../src/settings/generate.ts';
import { classTable, policyTable } from '../src/tools/gate/policy-table.ts';
import { commandList, findCommands } from './command-list.ts';
import { commandsPage, manPage } from './commands-page.ts';
import { generateParser } from './grammar.ts';
import { languageErrorsPage } from './language-errors-page.ts';
import { languageReference } from './language-reference.ts';
import { layersTable } from './layers.ts';
import { noticeFile } from './notice.ts';
import { performanceFiles } from './performance-page.ts';
import { promptsPage } from './prompts-page.ts';
import { providerTable } from './provider-table.ts';
import { toolsPage } from './tools-page.ts';

/** Every file that is generated from the code: path in the checkout to content. */
export async function generateFiles(): Promise<Readonly<Record<string, string>>> {
  const found = await findCommands();
  const commands = found.map(({ info }) => info);
  return {
    ...generateSettingFiles(),
    'src/repl/commands.gen.ts': commandList(found),
    'docs/commands.md': commandsPage(commands),
    'docs/wooster.1': manPage(commands),
    'src/lang/grammar/parser.gen.ts': generateParser(),
    'docs/language-errors.md': languageErrorsPage(),
    'docs/language-reference.md': languageReference(),
    'docs/tools.md': await toolsPage(),
    'docs/prompts.md': await promptsPage(),
    'docs/models.md': withTable('docs/models.md', 'providers', providerTable()),
    'docs/security.md': withTables('docs/security.md', { classes: classTable(), policy: policyTable() }),
    'AGENTS.md': withTable('AGENTS.md', 'layers', layersTable(modulePath)),
    NOTICE: noticeFile(),
    ...performanceFiles(),
    'docs/adr/README.md': withTable('docs/adr/README.md', 'decisions', decisionList()),
  };
}

/** One line for each decision, by number. */
function decisionList(): string {
  const folder = resolve(import.meta.dirname, '../docs/adr');
  const pages = readdirSync(folder).filter((name) => /^\d{4}-.*\.md$/u.test(name));
  const titleOf = (name: string) => /^# (.+)$/mu.exec(readFileSync(resolve(folder, name), 'utf8'))?.[1] ?? name;
  return pages
    .sort()
    .map((name) => `- [${titleOf(name)}](${name})`)
    .join('\n');
}

/** The folder or file of a module, below src/. */
function modulePath(name: string): string | undefined {
  const src = resolve(import.meta.dirname, '../src');
  return [name, `${name}.ts`].find((path) => existsSync(resolve(src, path)));
}

/** A hand-written page with the part between `<!-- NAME -->` and `<!-- /NAME -->` replaced. */
function withTable(path: string, name: string, table: string): string {
  return withTables(path, { [name]: table });
}

/** The same for several parts of a page, by name. */
function withTables(path: string, tables: Readonly<Record<string, string>>): string {
  const page = readFileSync(resolve(import.meta.dirname, '..', path), 'utf8');
  return Object.entries(tables).reduce((text, [name, table]) => replaced(text, path, { name, table }), page);
}

function replaced(page: string, path: string, { name, table }: { name: string; table: string }): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const at = page.indexOf(begin);
  if (at < 0 || !page.includes(end)) throw new Error(`${path} has no markers for the table "${name}"`);
  return `${page.slice(0, at + begin.length)}\n${table}\n${page.slice(page.indexOf(end))}`;
}
