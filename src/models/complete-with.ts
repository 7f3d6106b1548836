import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { ANSWER_TOOL, answerIn } from './answer-form.ts';
import type { CompleteOptions, CompleteResult, Message } from './providers/completing.ts';
import { addTokens, endedByLength, NO_TOKENS } from './reply.ts';
import type { Models } from './types.ts';

interface Scope {
  readonly models: Pick<Models, 'pick'>;
  readonly project: string;
  readonly signal: AbortSignal;
}

/** One request in the form of `ModelProvider` to whichever model is picked. @throws AssistantError. */
export async function completeWith(
  { models, project, signal }: Scope,
  options: CompleteOptions,
): Promise<CompleteResult> {
  const { jsonSchema, schemaName = 'result', model, maxTokens, tools, toolChoice = 'auto', stopSequences } = options;
  const choice = await models.pick({
    ...{ profile: 'TOOL_EXECUTION', mode: 'classic_tools', purpose: 'llm', project, model, maxTokens, signal },
    answer: jsonSchema && { name: schemaName, schema: jsonSchema },
  });
  const declared = (tools ?? []).map(({ name, description, inputSchema: parameters }) => ({
    type: 'function' as const,
    function: { name, description, parameters },
  }));
  const wanted = typeof toolChoice === 'string' ? toolChoice : toolChoice.name;
  const bound =
    declared.length > 0 && choice.model.bindTools
      ? choice.model.bindTools(declared, { tool_choice: wanted })
      : choice.model;
  const reply = await bound.invoke(messagesOf(options), stopSequences ? { stop: stopSequences } : {});
  const tokens = addTokens(NO_TOKENS, reply);
  const calls = (reply.tool_calls ?? []).filter(({ name }) => name !== ANSWER_TOOL);
  return {
    data: jsonSchema ? answerIn(reply) : reply.text,
    usage: {
      inputTokens: tokens.inputTokens,
      outputTokens: tokens.outputTokens,
    },
    model: choice.name,
    ...(calls.length > 0 ? { toolCalls: calls.map(({ id = '', name, args }) => ({ id, name, input: args })) } : {}),
    stopReason: calls.length > 0 ? 'tool_use' : endedByLength(reply) ? 'max_tokens' : 'end_turn',
  };
}

function messagesOf({ systemPrompt, userMessage, messages }: CompleteOptions): BaseMessage[] {
  const said: readonly Message[] = messages ?? [{ role: 'user', content: userMessage }];
  return [new SystemMessage(systemPrompt), ...said.flatMap(asMessages)];
}

function asMessages({ role, content, toolResults = [] }: Message): BaseMessage[] {
  if (role === 'tool_result') {
    return toolResults.map(({ toolCallId, output, isError = false }) => {
      const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
      return new ToolMessage({ tool_call_id: toolCallId, content: text, status: isError ? 'error' : 'success' });
    });
  }
  if (typeof content === 'string') return [role === 'user' ? new HumanMessage(content) : new AIMessage(content)];
  const tool_calls = content.map(({ id, name, input }) => ({ type: 'tool_call' as const, id, name, args: input }));
  return [new AIMessage({ content: '', tool_calls })];
}
