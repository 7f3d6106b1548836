import { act, type Intent, say, type UserRequest } from './request.ts';

import { search } from './skills/documents.ts';

/**
 * What an example may ask for that is more than one call with its gaps filled: several calls, or one whose result is
 * said by what was asked.
 *
 * @returns undefined where nothing can be made of it: the next best example is looked at.
 */
export type Work = (input: Readonly<Record<string, unknown>>, request: UserRequest) => Intent | undefined;

/** By the name that examples give as their tool. */
export const WORK: Readonly<Partial<Record<string, Work>>> = {
  recall_said: ({ by }, request) => say(recalled(by === 'person', request)),
  query_rag: (input, request) => act(search(String(input.query), request)),
};

/** "What did I just say?", "repeat that". */
function recalled(byPerson: boolean, { earlier, in: either }: UserRequest): string {
  const text = earlier.findLast(({ by }) => (by === 'person') === byPerson)?.text;
  if (text === undefined)
    return either(
      'Nothing yet: this conversation has just begun.',
      'Noch nichts: das Gespräch hat gerade erst begonnen.',
    );
  return `${byPerson ? either('You said', 'Du hast gesagt') : either('I said', 'Ich habe gesagt')}: "${text}"`;
}
