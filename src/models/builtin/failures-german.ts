const TIME = String.raw`(\d{4}-\d\d-\d\d \d\d:\d\d)`;

/** What the tools of everyday requests report when they fail, and how a German is told. */
const FAILURES: readonly (readonly [RegExp, (...parts: string[]) => string])[] = [
  [
    /^(?:job_\w+) comes again and again \((.*?)(?: \[.*)?\)\. .*$/su,
    (when) => `Das kommt immer wieder (${when}). Sag, wann es künftig kommen soll, etwa „jeden Mittwoch um 19 Uhr“.`,
  ],
  [
    /^No scheduled job is called "(.*?)"\. Nothing is scheduled\.(?:.*)$/su,
    (said) => `Keine Erinnerung passt zu „${said}“; es ist nichts geplant.`,
  ],
  [
    /^No scheduled job is called "(.*?)"\. There is: (.*?)\.(?: `.*)?$/su,
    (said, known) => `Keine Erinnerung passt zu „${said}“. Geplant ist: ${germanJobs(known)}.`,
  ],
  [
    /^"(.*?)" may be any of (\d+): (.*)\. Which id\?.*$/su,
    (said, count, known) => `Zu „${said}“ passen ${count}: ${germanJobs(known)}. Welche davon? Sag ihre Nummer.`,
  ],
  [
    new RegExp(`^"(.*?)" is in the past \\(.*?${TIME}, (\\S+)\\)\\..*$`, 'su'),
    (said, at, zone) => `„${said}“ ist schon vorbei (${at}, ${zone}). Nenn eine spätere Zeit.`,
  ],
  [/^There is no file (?:called )?"?(.*?)"?\.(?: .*)?$/su, (name) => `Die Datei „${name}“ gibt es nicht.`],
];

/** The same in German; a failure that is not known stays as the tool reported it. */
export function failureInGerman(text: string): string {
  for (const [form, said] of FAILURES) {
    const found = form.exec(text);
    if (found) return said(...found.slice(1));
  }
  return text;
}

/** `job_1 "Orchideen" (Fri 2026-11-27 09:00)` with a German list around it. */
function germanJobs(listed: string | undefined): string {
  return String(listed)
    .replace(
      /\((?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\d{4})-(\d\d)-(\d\d) (\d\d:\d\d)(?::\d\d)?\)/gu,
      '($3.$2.$1 um $4 Uhr)',
    )
    .replace(/; and (\d+) more$/u, ' und $1 weitere');
}
