import { createAssistant } from 'wooster';

await using assistant = await createAssistant({ home: './wooster-data' });

const { text, conversationId } = await assistant.ask('what is 2+2?');
console.log(text);

for await (const event of assistant.stream('what is 6 * 7?', { conversationId })) {
  if (event.type === 'answer') console.log(event.text);
}
