import type { ApprovalRequest } from '../base/turn.ts';
import { describeApproval } from '../tools/gate/approval-text.ts';
import { printable } from './screen.ts';
import { takeCells } from './tty/width.ts';

/** Begins each row that goes on with the one above; no row of a question begins like that by itself. */
const GOES_ON = '| ';
const FEWEST_CELLS = 8;

/**
 * A question for approval as rows that no terminal wraps: a text that runs over several rows is marked on each, so none
 * of them can pass for a field of the question.
 *
 * @param columns of the terminal.
 */
export function questionText(request: ApprovalRequest, columns: number): string {
  const width = Math.max(FEWEST_CELLS, columns - 1);
  const lines = printable(describeApproval(request)).split('\n');
  return lines.flatMap((line) => rowsOf(line, width)).join('\n');
}

function rowsOf(line: string, width: number): string[] {
  const rows: string[] = [];
  let rest = line;
  while (rest !== '') {
    const lead = rows.length === 0 ? '' : GOES_ON;
    const row = atBlank(takeCells(rest, width - lead.length)[0], rest);
    rows.push(lead + row);
    rest = rest.slice(row.length);
  }
  return rows;
}

/** What fits into a row, up to its last blank unless that leaves half of the row empty. */
function atBlank(fitting: string, rest: string): string {
  const end = fitting.lastIndexOf(' ') + 1;
  return fitting.length === rest.length || end <= fitting.length / 2 ? fitting : fitting.slice(0, end);
}
