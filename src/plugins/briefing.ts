/** A plugin's contribution to the daily review, which it provides as the service `briefing`. */
export type Briefing = (day: {
  readonly now: Date;
  /** The owner's IANA zone. */
  readonly timeZone: string;
  readonly signal: AbortSignal;
}) => Promise<BriefingSection | undefined>;

/** One part of the daily review; without lines it is left out. */
export interface BriefingSection {
  readonly title: string;
  readonly lines: readonly string[];
}
