import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type AIMessageFields, type BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk, ChatResult } from '@langchain/core/outputs';
import { ChatGoogle } from '@langchain/google';
import type { AnswerForm, ProviderOptions } from './provider.ts';

type Options = ChatGoogle['ParsedCallOptions'];

/** ChatGoogle plus what other clients do themselves: stop sequences, JSON replies, tool calls from earlier turns. */
class Gemini extends ChatGoogle {
  jsonResponse = false;
  answerSchema: AnswerForm['schema'] | undefined;

  override invocationParams(options: Options): ReturnType<ChatGoogle['invocationParams']> {
    const params = super.invocationParams(options);
    return {
      ...params,
      generationConfig: {
        ...params.generationConfig,
        ...(options.stop ? { stopSequences: options.stop } : {}),
        ...(this.jsonResponse || this.answerSchema ? { responseMimeType: 'application/json' } : {}),
        ...(this.answerSchema ? { responseJsonSchema: this.answerSchema } : {}),
      },
    };
  }

  override _generate(messages: BaseMessage[], options: Options, run?: CallbackManagerForLLMRun): Promise<ChatResult> {
    return super._generate(messages.map(withCallParts), options, run);
  }

  override _streamResponseChunks(
    messages: BaseMessage[],
    options: Options,
    run?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    return super._streamResponseChunks(messages.map(withCallParts), options, run);
  }
}

/** ChatGoogle only sends tool calls that are parts of the content; saved replies do not have them there. */
function withCallParts(message: BaseMessage): BaseMessage {
  if (!AIMessage.isInstance(message) || !message.tool_calls?.length) return message;
  const parts: { readonly type: string }[] = Array.isArray(message.content) ? message.content : [];
  if (parts.some(({ type }) => type === 'functionCall')) return message;
  const words = message.text === '' ? [] : [{ type: 'text', text: message.text }];
  const calls = message.tool_calls.map(({ id, name, args }) => ({
    type: 'functionCall',
    functionCall: { id, name, args },
  }));
  const { tool_calls, id, response_metadata, additional_kwargs } = message;
  return new AIMessage({
    content: [...words, ...calls],
    tool_calls,
    id,
    response_metadata,
    additional_kwargs,
  } as AIMessageFields);
}

/**
 * ChatGoogle takes no `fetch`, but a client that has one. The address is always passed: otherwise an environment
 * variable could redirect every request.
 */
export function openGoogle(options: ProviderOptions): BaseChatModel {
  const { model, apiKey, baseUrl, temperature, maxTokens, jsonResponse, answer, fetch } = options;
  const key = apiKey ?? '';
  const apiClient = {
    hasApiKey: () => key !== '',
    getProjectId: async () => '',
    fetch: async (request: Request) => {
      request.headers.set('x-goog-api-key', key);
      return fetch(request);
    },
  };
  const gemini = new Gemini({
    model,
    apiKey: key,
    apiClient,
    endpoint: baseUrl ?? 'https://generativelanguage.googleapis.com',
    maxRetries: 0,
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
  });
  gemini.jsonResponse = jsonResponse === true;
  gemini.answerSchema = answer?.schema;
  return gemini;
}
