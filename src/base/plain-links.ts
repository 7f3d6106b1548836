import { codeBlocks } from './code-blocks.ts';
import { Disarming, type LinkRules } from './disarm-links.ts';

/**
 * Write the images, links and embedded HTML of an answer as plain text, unless `rules` allow their URL.
 *
 * A renderer that loads or previews a URL by itself would send whatever the URL contains to its host, which is how
 * injected instructions leak private text. Code blocks are left alone: nothing in them is loaded. Takes linear time,
 * whatever the text contains.
 */
export function plainLinks(text: string, rules: LinkRules): string {
  let plain = '';
  let from = 0;
  for (const { start, end } of codeBlocks(text)) {
    plain += new Disarming(text.slice(from, start), rules).text() + text.slice(start, end);
    from = end;
  }
  return plain + new Disarming(text.slice(from), rules).text();
}
