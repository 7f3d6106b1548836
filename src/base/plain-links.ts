import { codeBlocks } from './code-blocks.ts';
import { Disarming } from './disarm-links.ts';

/** Which URLs may stay links. */
export interface LinkRules {
  /** True for a URL that the user, a search result or the allow-list named. */
  mayLink(url: string): boolean;
  /** Also drop the scheme of bare URLs, so that no terminal or app turns them into links. */
  readonly bare: boolean;
}

/**
 * Write the images, links and embedded HTML of an answer as plain text, unless `rules` allow their URL.
 *
 * A renderer that loads or previews a URL by itself would send whatever the URL contains to its host, which is how
 * injected instructions leak private text. Code blocks are left alone: nothing in them is loaded. The time grows with
 * the length of the text, whatever it consists of.
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
