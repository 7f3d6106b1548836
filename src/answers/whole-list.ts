import { readable } from './sentences.ts';

/** A list of a passage, without its marks. */
interface PassageList {
  /** The line that leads to it: "We need:"; empty where there is none. */
  readonly lead: string;
  readonly items: readonly string[];
}

const ITEM = /^\s*(?:[-*+•]|\d+[.)])\s+(?!\[[ x]\])/u;

/** The lists of a passage; a line without a mark goes on with its item where it is indented. */
function listsIn(passage: string): readonly PassageList[] {
  const lists: { lead: string; items: string[] }[] = [];
  let lead = '';
  let open: string[] | undefined;
  for (const line of passage.split('\n')) {
    if (line.trim() === '') continue;
    if (ITEM.test(line)) {
      if (!open) {
        open = [];
        lists.push({ lead, items: open });
      }
      open.push(readable(line));
    } else if (open && /^\s+/u.test(line)) open.push(`${open.pop()} ${readable(line)}`);
    else {
      lead = readable(line);
      open = undefined;
    }
  }
  return lists;
}

export interface ItemRules {
  /** Whether an item answers no better than the others. */
  isOneOfThem(item: string): boolean;
  /** Whether an item has the form that is asked for. */
  fits(item: string): boolean;
}

/**
 * The list that a sentence of a passage belongs to. One that ends in a colon leads to all of it: "We need:". An item
 * stands for all of them where it is only one of those that the words above it speak of.
 *
 * @returns the whole answer; undefined where the sentence says it alone.
 */
export function wholeList(
  { sentence, passage }: { readonly sentence: string; readonly passage: string },
  { isOneOfThem, fits }: ItemRules,
): string | undefined {
  const lists = listsIn(passage);
  const led = sentence.endsWith(':') ? lists.find(({ lead }) => lead.endsWith(sentence)) : undefined;
  if (led) return `${sentence} ${led.items.join('; ')}`;
  const own = lists.find(({ items }) => items.some((item) => item.includes(sentence)));
  if (!own?.items.every(isOneOfThem)) return undefined;
  const items = own.items.filter(fits);
  return items.length > 1 ? items.join('; ') : undefined;
}
