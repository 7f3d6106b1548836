import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A public test collection as facts and papers use it: corpus.jsonl, queries.jsonl, qrels.tsv. */
export interface TestSet {
  readonly name: string;
  readonly dir: string;
  readonly queries: readonly { readonly id: string; readonly text: string }[];
  readonly judgements: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** The sets under a folder; says so and gives none when there are none. */
export function findSets(folder: string | undefined): TestSet[] {
  if (folder === undefined || !existsSync(folder)) {
    console.log('skipped: give a folder of test collections (NAME/corpus.jsonl, queries.jsonl, qrels.tsv) as argument');
    return [];
  }
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'corpus.jsonl')));
  return names.sort().map((name) => loadSet(name, join(folder, name)));
}

function loadSet(name: string, dir: string): TestSet {
  const queries = readJsonl(join(dir, 'queries.jsonl')).map(({ _id, text }) => ({
    id: String(_id),
    text: String(text),
  }));
  const judgements = new Map<string, Map<string, number>>();
  for (const line of readFileSync(join(dir, 'qrels.tsv'), 'utf8').trimEnd().split('\n').slice(1)) {
    const [query = '', document = '', score = '0'] = line.split('\t');
    judgements.set(query, (judgements.get(query) ?? new Map<string, number>()).set(document, Number(score)));
  }
  return { name, dir, queries, judgements };
}

/** One Markdown file per document, as a person's folder would have them. */
export function writeDocuments(set: TestSet, folder: string): number {
  mkdirSync(folder, { recursive: true });
  const documents = readJsonl(join(set.dir, 'corpus.jsonl'));
  for (const { _id, title, text } of documents) {
    const parts = [title ? `# ${String(title)}` : '', text ? String(text) : ''].filter((part) => part !== '');
    writeFileSync(join(folder, `${String(_id)}.md`), `${parts.join('\n\n')}\n`);
  }
  return documents.length;
}

export function readCorpus(set: TestSet): { id: string; title: string; text: string }[] {
  return readJsonl(join(set.dir, 'corpus.jsonl')).map(({ _id, title, text }) => ({
    id: String(_id),
    title: String(title ?? ''),
    text: String(text ?? ''),
  }));
}

function readJsonl(path: string): Record<string, unknown>[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}
