const TAGS = /<(\/?)(think|thinking|thought|reasoning|reflection|scratchpad)>/giu;

/**
 * A reply without what the model thought aloud: `<think>` and its kin. Thinking that begins the reply and was never
 * closed takes the rest with it. Some servers leave out the opening tag, so that a reply begins in the middle.
 */
export function withoutThinking(reply: string): string {
  if (!reply.includes('<')) return reply;
  let kept = '';
  let from = 0;
  let opened: { readonly name: string; readonly index: number } | undefined;
  let isFirst = true;
  for (const { index, 0: tag, 1: slash, 2: name = '' } of reply.matchAll(TAGS)) {
    const isLoneEnd = slash !== '' && isFirst && reply[index - 1] !== '`';
    if (slash === '') opened ??= { name: name.toLowerCase(), index };
    else if (opened?.name === name.toLowerCase() || isLoneEnd) {
      kept += opened ? reply.slice(from, opened.index) : '';
      from = index + tag.length;
      opened = undefined;
    }
    isFirst = false;
  }
  const isUnended = opened !== undefined && `${kept}${reply.slice(from, opened.index)}`.trim() === '';
  return isUnended ? '' : kept + reply.slice(from);
}
