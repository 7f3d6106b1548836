/** A time as a language writes it, in the zone that is named. It runs in browsers as well. @param timeZone IANA. */
export function zonedFormat(
  at: Date,
  timeZone: string,
  { locale, ...options }: Intl.DateTimeFormatOptions & { readonly locale: string },
): string {
  return new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(at);
}
