import { webAddress } from '../../base/web-address.ts';

/** More than a question needs of one site. */
const MOST_OF_A_SITE = 3;

/**
 * Visits of a turn to places that only a search has named. Whoever runs a site with a page for each letter could read
 * from the order of the visits what a model was made to spell, so there are few of them to each.
 */
export class Visits {
  readonly #bySite = new Map<string, number>();

  /** Count a visit. @returns whether it is one of the few. */
  take(address: string): boolean {
    const site = siteOf(address);
    const count = (this.#bySite.get(site) ?? 0) + 1;
    this.#bySite.set(site, count);
    return count <= MOST_OF_A_SITE;
  }
}

/** The last two labels of the host, as whoever owns a domain has all names below it. */
function siteOf(address: string): string {
  return (webAddress(address)?.hostname ?? '').split('.').slice(-2).join('.');
}
