import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import type { Step } from '../conversation/types.ts';
import type { EngineRun } from './types.ts';

/** Makes clear to the model that the request has changed while it was working on it. */
const LEAD = 'The person adds, while you are working on this: ';

/** What the person says to a turn that is running reaches the model with its next call. */
export class Steering {
  readonly #run: Pick<EngineRun, 'context' | 'conversation'>;
  /** With the number of messages that stood before each. */
  readonly #said: { readonly behind: number; readonly message: BaseMessage }[] = [];

  constructor(run: Pick<EngineRun, 'context' | 'conversation'>) {
    this.#run = run;
  }

  /** Words that are new, as steps of the conversation; they are saved. */
  async take(): Promise<readonly Step[]> {
    const steps = (this.#run.context.steering?.() ?? []).map((text): Step => {
      return { role: 'user', kind: 'feedback', content: LEAD + text };
    });
    for (const step of steps) await this.#run.conversation.append(step);
    return steps;
  }

  /** The messages of a request with everything said so far, each where it was said. */
  async into(messages: readonly BaseMessage[]): Promise<readonly BaseMessage[]> {
    for (const { content } of await this.take()) {
      this.#said.push({ behind: messages.length, message: new HumanMessage(content) });
    }
    if (this.#said.length === 0) return messages;
    const at = (count: number) => this.#said.filter(({ behind }) => behind === count).map(({ message }) => message);
    return messages.flatMap((message, index) => [message, ...at(index + 1)]);
  }
}
