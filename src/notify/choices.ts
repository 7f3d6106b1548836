import type { Channel, Choice } from './channel.ts';

/** What its reader may answer, as text for a channel that receives and has no buttons; empty for any other. */
export function choicesInWords({ receives, inbound }: Channel, choices: readonly Choice[] = []): string {
  if (!inbound || !receives || receives.buttons || choices.length === 0) return '';
  return `\n\nAnswer with one of:\n${choices.map(({ label, says }) => `${says}   (${label})`).join('\n')}`;
}
