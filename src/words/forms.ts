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
  /** In a sentence that asks its reader for something. */
  readonly request: string;
  /** In front of who wrote it, with a colon. */
  readonly from: string;
  /** What people call them. */
  readonly called: string;
  /** What a question has that asks for the last day, for who wrote, for when it was written. */
  readonly asks: { readonly deadline: string; readonly sender: string; readonly date: string };
  /** What such a question has beside them, of itself and of what its asker does, rather than of the letter. */
  readonly beside: string;
}

export const FORM_WORDS: Readonly<Record<Language, FormWords>> = {
  en: {
    total: 'grand total|total(?: due| amount)?|amount due|balance due|to pay|invoice amount',
    notTotal: 'sub ?total|vat|tax|change|cash|card',
    pay: [
      '(?:please|must|(?:ask|asked|request) you to) (?:pay|transfer|remit|settle)',
      'please send us the (?:sum|amount)|payable|payment is due|amount due',
    ].join('|'),
    by: 'no later than|not later than|on or before|due(?: date)?(?: on| by)?|until|by',
    request: 'please|must|have to|has to|need to|required|deadline|due|at the latest|(?:no|not) later than',
    from: 'from|sender',
    called: 'letters?|bills?|invoices?|reminder|notice|photo|picture|scan',
    asks: {
      deadline: 'deadline|due(?: date)?|(?:by|until) when|latest date|last day',
      sender: 'who (?:is|was) .{1,80} from|who (?:wrote|sent|signed)|whom? .{1,80} from|sender',
      date: '(?:date|day) of|date on|when (?:is|was) .{1,80} (?:written|dated|sent|from)|dated',
    },
    beside: [
      'deadline|due|date|day|last|latest|sender|wrote|written|sent|signed|dated|say|says',
      'pay|paid|send|answer|reply|respond|file|return',
    ].join('|'),
  },
  de: {
    total: 'gesamt(?:summe|betrag)?|endbetrag|rechnungsbetrag|zu zahlen|zahlbetrag|summe|betrag',
    notTotal: 'zwischensumme|mwst|ust|netto|rückgeld|bar|karte|gegeben',
    pay: [
      'bitte (?:zahlen|überweisen|begleichen)|zu zahlen|zahlbar',
      'überweisen sie|zu (?:überweisen|begleichen|entrichten)|fällig',
    ].join('|'),
    by: 'spätestens(?: bis)?(?: zum| am)?|bis(?: spätestens)?(?: zum| am)?|fällig(?: am| zum)?',
    request: 'bitten?|müssen|frist|spätestens|fällig|erforderlich|zu (?:überweisen|begleichen|entrichten)',
    from: 'von|absender',
    called: 'brief(?:e|es|s)?|schreiben|rechnung(?:en)?|mahnung|bescheid|foto|bild|scan',
    asks: {
      deadline: 'frist|stichtag|bis wann|fällig|letzter tag',
      sender: 'von wem|wer hat .{1,80} (?:geschrieben|geschickt|gesendet)|absender',
      date: 'datum|von wann|wann wurde .{1,80} (?:geschrieben|geschickt)',
    },
    beside: [
      'frist|stichtag|fällig|letzter|tag|absender|datum|geschrieben|geschickt|gesendet|steht',
      'zahlen|bezahlen|bezahlt|überweisen|antworten|schicken|zurückschicken|einreichen',
    ].join('|'),
  },
};

/** How currencies are written, by their codes. */
export const CURRENCIES: Readonly<Record<string, string>> = {
  EUR: '€|EUR|Euro',
  GBP: '£|GBP',
  USD: String.raw`\$|USD`,
  CHF: 'CHF|SFr',
};
