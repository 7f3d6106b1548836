import type { Language } from './spelling.ts';

/** Words of receipts, bills and letters, as sources of regular expressions. */
export interface FormWords {
  /** In front of what a receipt or bill comes to. */
  readonly total: string;
  /** In front of what comes to the total only together with something else. */
  readonly notTotal: string;
  /** What asks for money. */
  readonly pay: string;
  /** In front of the last day for something. */
  readonly by: string;
}

export const FORM_WORDS: Readonly<Record<Language, FormWords>> = {
  en: {
    total: 'grand total|total(?: due| amount)?|amount due|balance due|to pay|invoice amount',
    notTotal: 'sub ?total|vat|tax|change|cash|card',
    pay: 'please pay|please transfer|please send us the (?:sum|amount)|payable|payment is due|amount due',
    by: 'no later than|not later than|on or before|due(?: date)?(?: on| by)?|until|by',
  },
  de: {
    total: 'gesamt(?:summe|betrag)?|endbetrag|rechnungsbetrag|zu zahlen|zahlbetrag|summe|betrag',
    notTotal: 'zwischensumme|mwst|ust|netto|rückgeld|bar|karte|gegeben',
    pay: 'bitte (?:zahlen|überweisen|begleichen)|zu zahlen|zahlbar|überweisen sie|fällig',
    by: 'spätestens(?: bis)?(?: zum| am)?|bis(?: spätestens)?(?: zum| am)?|fällig(?: am| zum)?',
  },
};

/** How currencies are written, by their codes. */
export const CURRENCIES: Readonly<Record<string, string>> = {
  EUR: '€|EUR|Euro',
  GBP: '£|GBP',
  USD: String.raw`\$|USD`,
  CHF: 'CHF|SFr',
};
