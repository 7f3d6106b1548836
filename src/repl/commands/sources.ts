import type { SourceInfo } from '../../rag/types.ts';
import type { Command } from '../command.ts';

export const sources: Command = {
  name: 'sources',
  summary: 'Show every file of the project and what became of it',
  usage: ['sources'],
  async run({ session, parts, out }) {
    const files = await parts.documents.sources(session.project);
    for (const file of files) {
      out.row(file);
      out.line(lineOf(file));
    }
    out.line(summaryOf(files));
    return 0;
  },
};

function lineOf({ file, state, chunks, error }: SourceInfo): string {
  const passages = state === 'indexed' ? `${chunks}`.padStart(6) : '     -';
  return `${state.padEnd(8)} ${passages}  ${file}${error === null ? '' : `  (${error})`}`;
}

function summaryOf(files: readonly SourceInfo[]): string {
  const count = (state: SourceInfo['state']) => files.filter((file) => file.state === state).length;
  const indexed = count('indexed');
  const share = files.length === 0 ? 0 : Math.round((indexed / files.length) * 100);
  const rest = (['empty', 'failed', 'skipped'] as const).filter((state) => count(state) > 0);
  const others = rest.map((state) => `, ${count(state)} ${state}`).join('');
  return `${indexed} of ${files.length} files can be searched (${share} %)${others}`;
}
