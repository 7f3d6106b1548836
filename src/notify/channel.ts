import type { ChannelStatus } from './types.ts';

/** One way to reach the owner. */
export interface Channel {
  readonly name: string;
  status(): ChannelStatus;
  /** Where messages go, for the outbox; changes when the settings do. Never a secret. */
  address(): string;
  /** The text in pieces that the channel takes whole. */
  split(text: string): readonly string[];
  /**
   * Never rejects: whatever happens is an outcome.
   *
   * @param left only these are to get it, as an earlier outcome named them.
   */
  deliver(text: string, signal: AbortSignal, left?: readonly string[]): Promise<Outcome>;
}

/** What one attempt came to. */
export type Outcome =
  | {
      readonly state: 'sent';
      readonly remoteId?: string | undefined;
      readonly detail: string;
      /** Who of several recipients will never get it, in words. */
      readonly lost?: readonly string[] | undefined;
    }
  /**
   * Certainly not delivered; worth another try. `busy`: asked to wait, `down`: nobody there, `error`: refused by a broken
   * server, which is tried five times only. `waitMs` absent: the outbox's own back-off.
   */
  | {
      readonly state: 'retry';
      readonly detail: string;
      readonly why: 'busy' | 'down' | 'error';
      readonly waitMs?: number | undefined;
      /** Some have got it: only these are tried again. */
      readonly left?: readonly string[] | undefined;
      readonly lost?: readonly string[] | undefined;
    }
  /** Certainly not delivered, and another try would end the same. */
  | { readonly state: 'failed'; readonly detail: string }
  /** As failed, and the channel must not be used again with this address. */
  | { readonly state: 'off'; readonly detail: string }
  /** It may or may not have arrived. */
  | { readonly state: 'unknown'; readonly detail: string };
