import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { dataOf } from './message-data.ts';
import { textOf } from './reply.ts';

/** Messages for a model that sees: with their pictures beside their text. */
export function withPictures(messages: readonly BaseMessage[]): BaseMessage[] {
  return messages.map((message) => {
    const { pictures = [] } = dataOf(message);
    if (pictures.length === 0) return message;
    const shown = pictures.map(({ jpeg }) => ({
      type: 'image_url',
      image_url: { url: `data:image/jpeg;base64,${jpeg}` },
    }));
    return new HumanMessage({
      content: [{ type: 'text', text: textOf(message) }, ...shown],
      additional_kwargs: message.additional_kwargs,
    });
  });
}
