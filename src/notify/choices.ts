import type { Channel, Choice } from './channel.ts';

const BEFORE = '\n\nAnswer with one of:\n';

/** What its reader may answer, as text for a channel that receives and has no buttons; empty for any other. */
export function choicesInWords({ receives, inbound }: Channel, choices: readonly Choice[] = []): string {
  if (!inbound || !receives || receives.buttons || choices.length === 0) return '';
  return `${BEFORE}${choices.map(({ label, says }) => `${says}   (${label})`).join('\n')}`;
}

/** Whether a text is `body` as it was sent: alone, or with what its reader may answer. */
export function isSentAs(text: string, body: string): boolean {
  return text === body || text.startsWith(`${body}${BEFORE}`);
}
