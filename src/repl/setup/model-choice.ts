import { AssistantError } from '../../base/errors.ts';
import { typedAddress } from '../../base/web-address.ts';
import type { SetupDesk, Variables } from '../../face/setup-desk.ts';
import { withVersion } from '../../models/detect.ts';
import { PROVIDERS, providerOf } from '../../models/providers/list.ts';
import type { Provider } from '../../models/providers/provider.ts';
import type { CommandCall } from '../command.ts';
import { badUsage, textFlag } from '../flags.ts';
import type { Asker, Option } from './asker.ts';

/** The model that was chosen, and the variables that set it up. */
export interface ModelChoice {
  readonly provider: string;
  /** Undefined for the built-in one. */
  readonly model: string | undefined;
  readonly variables: Variables;
}

/** A set-up that can be tried. */
interface Attempt {
  /** The provider whose settings the variables are. */
  readonly section: string;
  readonly provider: string;
  readonly variables: Variables;
}

const FOUND = 'found';
const SERVER = 'server';
const BUILTIN = 'builtin';
const LOCAL = 'local';
const MAX_MODELS = 30;

/** Asks which model to use, until one has answered a small request or the person wants it regardless. */
export class ModelChooser {
  readonly #call: CommandCall;
  readonly #asker: Asker;
  readonly #desk: SetupDesk;
  /** Standard input has the key. */
  #keyGiven: string | undefined;

  constructor(call: CommandCall, asker: Asker, keyGiven: string | undefined) {
    this.#call = call;
    this.#asker = asker;
    this.#desk = call.app.home.setup;
    this.#keyGiven = keyGiven;
  }

  /** @throws AssistantError why the model did not answer, where nobody can be asked. */
  async choose(): Promise<ModelChoice> {
    let failed = false;
    for (;;) {
      const chosen = await this.#provider();
      if (chosen === BUILTIN) return this.#builtin();
      if (chosen === LOCAL) {
        const installed = await this.#installed();
        if (installed) return installed;
        continue;
      }
      const tried = await this.#tryUntilDecided(chosen, failed);
      if (tried) return tried;
      failed = true;
    }
  }

  async #provider(): Promise<string> {
    const given = textFlag(this.#call.flags, 'provider');
    const known = [...keyProviders().map(({ id }) => id), SERVER, LOCAL, BUILTIN];
    if (given !== undefined && !this.#asker.interactive) {
      const id = providerOf(given)?.id ?? given;
      const meant = id === 'compatible' ? SERVER : id;
      if (known.includes(meant)) return meant;
      throw badUsage(`Unknown provider "${given}".`, `Use one of ${known.join(', ')}.`);
    }
    const options = await this.#options();
    const usual = options.find(({ hint }) => hint !== undefined)?.value ?? BUILTIN;
    return this.#asker.choose('Which model shall answer?', { options, usual, flag: '--provider' });
  }

  /** A model server that was found has a hint that says where. */
  async #options(): Promise<readonly Option[]> {
    const found = await this.#desk.findServer();
    const local = { value: FOUND, label: found?.model ?? '', hint: `on this machine, ${found?.baseUrl}` };
    const keyed = keyProviders().map(({ id, label, needsKey = '' }) => {
      const where = this.#desk.whereSet(needsKey);
      const place = where === 'file' ? 'in .env' : 'in the environment';
      return { value: id, label, hint: where && `${needsKey} is ${place}` };
    });
    return [
      ...(found ? [local] : []),
      ...keyed,
      { value: SERVER, label: 'Another server that speaks the protocol of OpenAI' },
      {
        value: LOCAL,
        label: 'One that runs on this machine and is fetched now: a few GB, nothing leaves this machine',
      },
      { value: BUILTIN, label: 'The built-in one: everyday requests only, nothing leaves this machine' },
    ];
  }

  /** @returns undefined to choose again. */
  async #tryUntilDecided(chosen: string, failedBefore: boolean): Promise<ModelChoice | undefined> {
    let askKey = failedBefore;
    for (;;) {
      const attempt = await this.#attempt(chosen, askKey);
      const failure = await this.#failureOf(attempt);
      if (typeof failure === 'string') return choiceOf(attempt, failure);
      if (!this.#asker.interactive) throw failure;
      this.#asker.problem(`${failure.message} ${failure.hint}`);
      const options = [
        { value: 'again', label: 'Try again, with another key or address' },
        { value: 'other', label: 'Choose another model' },
        { value: 'keep', label: 'Save it all the same' },
      ];
      const next = await this.#asker.choose('What now?', { options, usual: 'again', flag: '--provider' });
      if (next === 'keep') return choiceOf(attempt, undefined);
      if (next === 'other') return undefined;
      askKey = true;
    }
  }

  /** One real call. @returns the model's name, or why it did not answer. */
  async #failureOf({ section, variables }: Attempt): Promise<string | AssistantError> {
    const { session, signal } = this.#call;
    this.#asker.say('Asking the model for a word ...');
    try {
      return await this.#desk.tryModel(section, variables, { project: session.project, signal });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AssistantError) return error;
      throw error;
    }
  }

  #attempt(chosen: string, askKey: boolean): Promise<Attempt> {
    if (chosen === FOUND) return this.#found();
    return chosen === SERVER ? this.#server() : this.#keyed(chosen, askKey);
  }

  async #found(): Promise<Attempt> {
    const server = await this.#desk.findServer();
    if (!server) {
      const hint = 'Start it again, or choose another model.';
      throw new AssistantError('model_unreachable', 'The server on this machine is gone.', { hint });
    }
    return serverAttempt(server.baseUrl, server.model, undefined);
  }

  async #server(): Promise<Attempt> {
    const given = await this.#answer('url', 'Address of the server, such as http://192.168.1.7:8000/v1', isAddress);
    const baseUrl = addressOf(given) ?? given;
    const wantsKey = this.#keyGiven !== undefined || (await this.#asker.yes('Does it want a key?'));
    const key = wantsKey ? await this.#key('Key of the server') : undefined;
    const models = await this.#desk.modelsOf(baseUrl, key);
    return serverAttempt(baseUrl, await this.#model(models), key);
  }

  /** A key that is already set is tried before another is asked for. */
  async #keyed(id: string, askKey: boolean): Promise<Attempt> {
    const { label, needsKey = '', defaultModel = '', settings } = providerOf(id) ?? {};
    const where = this.#desk.whereSet(needsKey);
    const isFixed = where === 'environment' && askKey;
    if (isFixed) {
      const hint = `Change it there, or unset it, and run setup again.`;
      throw new AssistantError('bad_setting', `${needsKey} is set in your environment, which counts first.`, { hint });
    }
    const asked = this.#keyGiven !== undefined || where === undefined || askKey;
    const key = asked ? await this.#key(`Key of ${label} (${needsKey})`) : undefined;
    const model = await this.#answer('model', 'Model', () => undefined, defaultModel);
    const variables = {
      ...(key === undefined ? {} : { [needsKey]: key }),
      ...(settings?.model && model !== defaultModel ? { [settings.model.env]: model } : {}),
      MODEL_NAME: `${id}:${model}`,
    };
    return { section: id, provider: id, variables };
  }

  async #model(models: readonly string[]): Promise<string> {
    const given = textFlag(this.#call.flags, 'model');
    if (given !== undefined) return given;
    const [usual = ''] = models;
    if (models.length < 2 || !this.#asker.interactive) return this.#answer('model', 'Model', isThere, usual);
    const options = models.slice(0, MAX_MODELS).map((value) => ({ value, label: value }));
    return this.#asker.choose('Which of its models?', { options, usual, flag: '--model' });
  }

  /** The value of the flag, or the answer to the question. */
  async #answer(flag: string, question: string, check: Check, usual = ''): Promise<string> {
    const given = textFlag(this.#call.flags, flag) ?? (this.#asker.interactive ? undefined : usual);
    if (given === undefined) return this.#asker.text(question, { usual, check });
    const wrong = check(given);
    if (wrong === undefined) return given;
    throw badUsage(`--${flag}: ${wrong}`, 'See: wooster help setup');
  }

  /** The key from standard input is used only once. */
  async #key(question: string): Promise<string> {
    const given = this.#keyGiven;
    this.#keyGiven = undefined;
    const key = given ?? (await this.#asker.secret(question));
    this.#call.app.home.redactor.add(key);
    return key;
  }

  /**
   * Fetched once it is agreed to.
   *
   * @returns undefined to choose again.
   *
   * @throws AssistantError where nobody can be asked.
   */
  async #installed(): Promise<ModelChoice | undefined> {
    const { app, flags } = this.#call;
    const installer = await app.home.installer();
    const { installed, planText } = await import('../commands/models-local.ts');
    try {
      const what = textFlag(flags, 'model') ?? installer.suitable()?.name ?? '';
      const plan = installer.plan({ what });
      const isAgreed = this.#asker.interactive
        ? await this.#asker.yes(`${planText(plan)} Install?`)
        : flags.yes === true;
      if (!isAgreed && !this.#asker.interactive) throw badUsage(planText(plan), 'Give --yes to install it.');
      if (!isAgreed) return undefined;
      await installed(this.#call, installer, plan);
      const model = `local:${plan.name}`;
      return { provider: LOCAL, model, variables: this.#others() ? { MODEL_NAME: model } : {} };
    } catch (error) {
      if (!this.#asker.interactive || !(error instanceof AssistantError)) throw error;
      this.#asker.problem(`${error.message} ${error.hint}`);
      return undefined;
    }
  }

  #builtin(): ModelChoice {
    return { provider: BUILTIN, model: undefined, variables: this.#others() ? { MODEL_NAME: BUILTIN } : {} };
  }

  /** Whether another model is set up, which would be asked first. */
  #others(): boolean {
    const others = [...keyProviders().map(({ needsKey = '' }) => needsKey), 'OPENAI_BASE_URL', 'MODEL_NAME'];
    return others.some((name) => this.#desk.whereSet(name) !== undefined);
  }
}

type Check = (answer: string) => string | undefined;

function choiceOf({ provider, variables }: Attempt, model: string | undefined): ModelChoice {
  return { provider, model: model ?? variables.MODEL_NAME, variables };
}

function serverAttempt(baseUrl: string, model: string, key: string | undefined): Attempt {
  const variables = {
    OPENAI_BASE_URL: baseUrl,
    ...(key === undefined ? {} : { OPENAI_API_KEY: key }),
    OPENAI_MODEL_NAME: model,
    MODEL_NAME: `compatible:${model}`,
  };
  return { section: 'openai', provider: 'compatible', variables };
}

/** Providers that need a key and nothing else. */
function keyProviders(): readonly Provider[] {
  return PROVIDERS.filter(({ needsKey }) => needsKey !== undefined);
}

function isAddress(text: string): string | undefined {
  return addressOf(text) === undefined ? 'Type an address such as http://127.0.0.1:8000/v1.' : undefined;
}

/** A server of one's own is mostly named without its scheme, and speaks plain HTTP. */
function addressOf(text: string): string | undefined {
  const url = typedAddress(text, 'http');
  return url && withVersion(url.href);
}

function isThere(text: string): string | undefined {
  return text === '' ? 'Name a model of the server.' : undefined;
}
