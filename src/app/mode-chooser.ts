import { modeSums } from '../agent/code/mode-stats.ts';
import { chooseMode, type ModeChoice } from '../agent/mode-choice.ts';
import { earlierResults, evalsDir, sumUp } from '../evals/results.ts';
import type { ModelControl } from '../models/types.ts';
import type { Store } from '../store/store.ts';

/** Chooses the mode of a turn by the record of the model that would answer it. */
export function modeChooser(
  homeDir: string,
  { models, store }: { readonly models: Pick<ModelControl, 'candidates' | 'usageByMode'>; readonly store: Store },
): () => Promise<ModeChoice & { readonly model: string }> {
  return async () => {
    const [first] = await models.candidates();
    const model = first?.name ?? 'none';
    const last = (await earlierResults(evalsDir(homeDir))).findLast(({ runs }) =>
      runs.some((run) => run.model === model),
    );
    const tried = sumUp((last?.runs ?? []).filter((run) => run.model === model));
    const sums = await modeSums(store, await models.usageByMode());
    const scripts = sums.find((sum) => sum.mode === 'code_agent' && isOf(sum.model, model));
    const { turns = 0, replies = 0, cleanReplies = 0, fallbacks = 0 } = scripts ?? {};
    return {
      model,
      ...chooseMode(
        tried.map((each) => ({ ...each, tokens: each.inputTokens + each.outputTokens })),
        { turns, replies, cleanReplies, fallbacks },
      ),
    };
  };
}

/** Sums name a model with its provider, unless both have the same name. */
function isOf(name: string, model: string): boolean {
  return name === model || name.endsWith(`:${model}`);
}
