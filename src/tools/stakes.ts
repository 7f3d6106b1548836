/** One file before and after a call, by the SHA-256 of its bytes; undefined: there is no file. */
export interface Stake {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What a call would do to files that this or another program obeys. */
export interface ControlChange {
  /** Lines that a person reads before they approve it. */
  readonly diff: string;
  /** The bytes that an approval binds: the diff may leave lines out. */
  readonly stakes: readonly Stake[];
}

/** Nothing was written, as it would have been something else than what the owner agreed to. */
export class ChangedMeanwhile extends Error {
  constructor() {
    super('what it changes was changed after the owner was asked');
  }
}

/** @throws ChangedMeanwhile for a change that is none of those agreed to. */
export function mustBeAgreed(changes: readonly Stake[], agreed: readonly Stake[]): void {
  const isAgreed = ({ before, after }: Stake) => agreed.some((each) => each.before === before && each.after === after);
  if (!changes.every(isAgreed)) throw new ChangedMeanwhile();
}
