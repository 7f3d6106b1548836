import { createRequire } from 'node:module';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { providerId, providerOf } from './list.ts';
import type { ProviderFactory, ProviderOptions } from './provider.ts';

const RESOLVE = createRequire(import.meta.url).resolve;

/** Opens models by provider name: bundled providers, those that plugins add, and any other that LangChain knows. */
export class Providers {
  readonly #added = new Map<string, ProviderFactory>();
  readonly #handed: Readonly<Partial<Record<string, ProviderFactory>>>;

  /** @param handed what opens bundled providers that live above this room, by their ids. */
  constructor(handed: Readonly<Partial<Record<string, ProviderFactory>>> = {}) {
    this.#handed = handed;
  }

  /** Add a provider, or replace a bundled one. */
  register(name: string, factory: ProviderFactory): void {
    this.#added.set(name.toLowerCase(), factory);
  }

  /** The package that a bundled provider needs, when it is not installed. */
  missingPackage(name: string): string | undefined {
    const wanted = this.#added.has(name.toLowerCase()) ? undefined : providerOf(name)?.package;
    if (wanted === undefined) return undefined;
    try {
      RESOLVE(wanted);
      return undefined;
    } catch {
      return wanted;
    }
  }

  /** Whether what `open` gives can be used for more than one request. */
  isLasting(name: string): boolean {
    return !this.#added.has(name.toLowerCase()) && providerOf(name)?.lasting === true;
  }

  looksBackTokens(name: string): number | undefined {
    return this.#added.has(name.toLowerCase()) ? undefined : providerOf(name)?.looksBackTokens;
  }

  /** @throws AssistantError `model_missing_package` naming the package and how to install it. */
  async open(name: string, options: ProviderOptions): Promise<BaseChatModel> {
    const own = this.#added.get(name.toLowerCase()) ?? this.#handed[providerId(name)] ?? providerOf(name)?.open;
    try {
      const factory = own ?? (await import('./third-party.ts')).thirdPartyProvider(providerId(name));
      return await factory(options);
    } catch (error) {
      throw isMissingModule(error) ? missingPackage(name, error) : error;
    }
  }
}

/** LangChain's loader reports a missing package in words only, without an error code. */
const IMPORT_FAILED = /Unable to import(?: (@langchain\/[\w-]+))?|Please install/u;
/** Node names the import that failed, which may be a file inside a package, or no package at all. */
const NOT_FOUND = /Cannot find (?:package|module) '((?:@[\w.-]+\/)?\w[\w.-]*)(?:\/[^']*)?'/u;

function isMissingModule(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND' || IMPORT_FAILED.test(messageOf(error));
}

function missingPackage(name: string, cause: unknown): AssistantError {
  const message = messageOf(cause);
  const named = NOT_FOUND.exec(message)?.[1] ?? IMPORT_FAILED.exec(message)?.[1];
  const packageName = named ?? providerOf(name)?.package ?? `@langchain/${providerId(name)}`;
  return new AssistantError(
    'model_missing_package',
    `The provider ${name} needs the package ${packageName}, which is not installed.`,
    { hint: `Install it with: npm install ${packageName}`, cause },
  );
}
