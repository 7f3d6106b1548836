import type { EngineRun } from '../types.ts';
import type { CodeTurnDeps } from './types.ts';

/**
 * Keep a value that is too long for the model as an artifact. What tools gave the script is redacted already; what the
 * script itself made is not, so the value is redacted here.
 *
 * @returns its id; undefined where it cannot be kept or could not be read again.
 */
export async function keepWhole(
  { artifacts }: Pick<CodeTurnDeps, 'artifacts'>,
  { turn, toolbox, scope, redactor }: Pick<EngineRun, 'turn' | 'toolbox' | 'scope' | 'redactor'>,
  { value, script }: { readonly value: unknown; readonly script: number },
): Promise<string | undefined> {
  if (!toolbox.find('artifact.get')) return undefined;
  const about = { description: `value of script ${script}`, untrusted: scope.labels.untrusted };
  try {
    return await artifacts?.keep(turn, redactor.redactValue(value), about);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
