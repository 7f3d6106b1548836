import type { Redactor } from '../base/redact.ts';
import type { Conversation, Step } from './types.ts';

/** The same conversation, into which no secret is written: what a model said may quote one. */
export function redactedConversation(conversation: Conversation, redactor: Redactor): Conversation {
  return {
    id: conversation.id,
    history: (view) => conversation.history(view),
    append: (step) => conversation.append({ ...step, content: cleanContent(step, redactor) }),
    resumed: () => conversation.resumed(),
    usedCallIds: () => conversation.usedCallIds(),
    store: (key, value) => conversation.store(key, redactor.redactValue(value)),
    stored: () => conversation.stored(),
    lastData: () => conversation.lastData(),
    setLastData: (value) => conversation.setLastData(redactor.redactValue(value)),
  };
}

/** Calls and results are JSON, which must stay whole. */
function cleanContent({ kind, content }: Step, redactor: Redactor): string {
  if (kind !== 'tool_calls' && kind !== 'tool_result') return redactor.redact(content);
  return JSON.stringify(redactor.redactValue(JSON.parse(content)));
}
