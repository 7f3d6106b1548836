import { StringOutputParser } from '@langchain/core/output_parsers';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { createAssistant } from 'wooster';
import { createChatModel, ProjectRetriever, toLangChainTools } from 'wooster/langchain';

await using assistant = await createAssistant({ home: './wooster-data' });

// The model: routed, with retries, fallback and budgets.
const model = createChatModel(assistant);
const prompt = ChatPromptTemplate.fromTemplate('{question}');
const chain = prompt.pipe(model).pipe(new StringOutputParser());
console.log(await chain.invoke({ question: 'what is 2+2?' }));

// Tools, each behind the assistant's gate.
const tools = toLangChainTools(assistant, { only: ['write_note', 'list_notes'] });
for (const tool of tools) console.log(await tool.invoke(tool.name === 'write_note' ? { text: 'buy milk' } : {}));

// A project's documents.
const retriever = ProjectRetriever.from(assistant, { k: 3 });
for (const { metadata, pageContent } of await retriever.invoke('milk')) console.log(metadata.citation, pageContent);
