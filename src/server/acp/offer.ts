import { PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import type { Turn } from '../../base/turn.ts';
import type { App, EditorOffer } from '../../face/app.ts';
import { CAPABILITIES } from './capabilities.ts';
import { configOptions, modeState } from './options.ts';

/** What `initialize` and `session/new` will answer, for a person. */
export async function editorOffer(app: App, { mode, project }: Pick<Turn, 'mode' | 'project'>): Promise<EditorOffer> {
  const choices = { mode, project, model: undefined, habit: 'ask' } as const;
  const options = await configOptions(app, choices);
  return {
    protocol: PROTOCOL_VERSION,
    capabilities: ['load', 'embedded context', ...Object.keys(CAPABILITIES.sessionCapabilities)],
    modes: modeState(choices).availableModes,
    options: options.map((option) => ({
      id: option.id,
      values: option.type === 'select' ? option.options.flatMap((each) => ('value' in each ? [each.value] : [])) : [],
    })),
  };
}
