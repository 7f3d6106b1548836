import { counted } from '../../base/text.ts';
import type { ToolContext } from '../tool.ts';

/**
 * As many rows of a list as a model is shown, with a note beside the result on how many more there are; a script gets
 * all of them.
 *
 * @param how to get at the others: `give a longer path`.
 */
export function shown<Row>(
  rows: readonly Row[],
  { most, how }: { readonly most: number; readonly how: string },
  { inScript, beside }: Pick<ToolContext, 'inScript' | 'beside'>,
): readonly Row[] {
  if (inScript || rows.length <= most) return rows;
  beside?.(`${counted(rows.length - most, 'more is', 'more are')} not listed: ${how}.`);
  return rows.slice(0, most);
}
