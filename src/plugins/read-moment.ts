/** A point in time given by a person or a model. */
export interface Moment {
  /** The start of the day if no time of day is given. */
  readonly at: Date;
  readonly namesTime: boolean;
}

/**
 * `2026-12-24 18:00`, `2026-12-24`, `tomorrow at 3pm`, `next friday`; without an offset in the owner's zone. The
 * grammar is loaded on first use.
 *
 * @throws Error that says how to write it.
 */
export async function readMoment(
  said: string,
  { timeZone, now }: { readonly timeZone: string; now(): Date },
): Promise<Moment> {
  const [{ readIso }, { findDate }] = await Promise.all([import('../when/one-off.ts'), import('../when/find.ts')]);
  const text = said.trim();
  const found = readIso(text, timeZone) ?? findDate(text, { timeZone, now: now() });
  if (!found) throw new Error(`"${said}" is no date or time that is understood; write it as 2026-12-24 18:00.`);
  return { at: found.at, namesTime: found.namesTime };
}
