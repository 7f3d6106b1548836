import type { Answer } from '../base/turn.ts';
import { NobodyThere } from '../models/failure.ts';
import type { ToolPolicy } from '../tools/tool.ts';
import type { Language } from '../words/spelling.ts';
import type { TurnModels } from './turn-models.ts';
import type { Engine, EngineRun } from './types.ts';

/** Stands under the answer: whoever set up a model has to know that it was not asked. */
const SAID: Readonly<Record<Language, string>> = {
  en: 'The model is unreachable; the built-in assistant handled this request.',
  de: 'Das Modell ist nicht erreichbar; diese Anfrage hat der eingebaute Assistent übernommen.',
};

/**
 * Answer a turn. Where no model can be reached before anything has come of it, the built-in assistant does what it
 * understands as a change on this machine, and says so; for anything else the failure stands.
 *
 * @param options.allowed whether it may stand in for the models of this turn.
 */
export async function runOrStandIn(
  engine: Engine,
  run: EngineRun,
  { models, allowed }: { readonly models: TurnModels; readonly allowed: boolean },
): Promise<Answer> {
  if (!allowed) return engine.run(run);
  const watched = new WatchedRun(run);
  try {
    return await engine.run(watched.run);
  } catch (error) {
    if (!(error instanceof NobodyThere) || watched.hasBegun || models.hasReplied) throw error;
    return standIn(engine, run, { models, error });
  }
}

async function standIn(
  engine: Engine,
  run: EngineRun,
  { models, error }: { readonly models: TurnModels; readonly error: NobodyThere },
): Promise<Answer> {
  const { context, toolbox } = run;
  let language: Language | undefined;
  models.standIn();
  const admit: EngineRun['admit'] = async (messages, offered) => {
    // Its skills are loaded for those who need them.
    const { wouldDo } = await import('../builtin/would-do.ts');
    const would = await wouldDo(messages, offered, { now: context.now(), timeZone: context.timeZone });
    const isHome = would.tools.every((name) => staysHome(toolbox.find(name)?.policy));
    if (would.tools.length === 0 || !isHome) throw error;
    if (language === undefined) models.tookOver();
    language = would.language;
  };
  const answer = await engine.run({ ...run, admit });
  const said = SAID[language ?? 'en'];
  context.show({ type: 'token', text: `\n\n${said}` });
  return { ...answer, text: `${answer.text}\n\n${said}` };
}

/** By what the tool declares: it changes something, and only here. */
function staysHome(policy: ToolPolicy | undefined): boolean {
  return policy?.effect === 'local' && policy.network !== true;
}

/** A run that remembers whether the person has read or said anything since it started. */
class WatchedRun {
  readonly run: EngineRun;
  hasBegun = false;

  constructor(run: EngineRun) {
    const { context } = run;
    this.run = {
      ...run,
      context: {
        ...context,
        show: (event) => {
          this.hasBegun ||= event.type === 'token';
          context.show(event);
        },
        steering: () => {
          const said = context.steering?.() ?? [];
          this.hasBegun ||= said.length > 0;
          return said;
        },
      },
    };
  }
}
