/**
 * The parts of node-llama-cpp and its template engine that we use. The package is in no dependency list, because it is
 * installed into a home by consent; its version is that of `engine/package.json`.
 *
 * @see https://node-llama-cpp.withcat.ai/api/classes/LlamaContextSequence
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

export type Token = number & { readonly brand?: 'token' };

export interface Sequence {
  readonly contextTokens: readonly Token[];
  /** As many tokens of the context are kept. */
  readonly nextTokenIndex: number;
  /** Its state cannot be taken back token by token, only to where a checkpoint was taken. */
  readonly needsCheckpoints: boolean;
  takeCheckpoint(): Promise<void>;
  adaptStateToTokens(tokens: readonly Token[], allowShift: boolean): Promise<void>;
  evaluateWithoutGeneratingNewTokens(tokens: readonly Token[]): Promise<void>;
  /** Yields the next token, and takes in exchange what is put in its place. */
  evaluate(
    tokens: readonly Token[],
    options: {
      readonly temperature?: number | undefined;
      readonly seed?: number | undefined;
      readonly topK?: number;
      readonly topP?: number;
      readonly grammarEvaluationState?: () => object | undefined;
    },
  ): AsyncGenerator<Token, void, undefined | Token | Token[]>;
}

export interface Model {
  readonly fileInfo: { readonly metadata: { readonly tokenizer?: { readonly chat_template?: unknown } } };
  readonly tokens: {
    readonly bos: Token | null;
    readonly bosString: string | null;
    readonly eosString: string | null;
    readonly shouldPrependBosToken: boolean;
  };
  tokenize(text: string, specialTokens: boolean): Token[];
  detokenize(tokens: readonly Token[], specialTokens: boolean, before?: readonly Token[]): string;
  createContext(options: {
    readonly contextSize: number;
    readonly sequences: number;
    readonly threads: number;
    readonly failedCreationRemedy: false;
  }): Promise<{ getSequence(): Sequence }>;
}

export interface Llama {
  loadModel(options: {
    readonly modelPath: string;
    readonly useMmap: boolean;
    readonly gpuLayers?: number;
  }): Promise<Model>;
}

interface GgufInsights {
  estimateModelResourceRequirements(options: { readonly gpuLayers: number; readonly useMmap: boolean }): {
    cpuRam: number;
  };
  estimateContextResourceRequirements(options: {
    readonly contextSize: number;
    readonly modelGpuLayers: number;
    readonly sequences: number;
  }): { cpuRam: number };
}

interface GgufFile {
  readonly metadata: { readonly general?: { readonly name?: unknown } };
}

interface Binding {
  getLlama(options: Readonly<Record<string, unknown>>): Promise<Llama>;
  readGgufFileInfo(path: string): Promise<GgufFile>;
  readonly GgufInsights: { from(file: GgufFile, llama: Llama): Promise<GgufInsights> };
  readonly LlamaGrammar: new (llama: Llama, options: { readonly grammar: string }) => object;
  readonly LlamaGrammarEvaluationState: new (options: { readonly model: Model; readonly grammar: object }) => object;
}

/** A chat template, rendered with what it is given. @throws Error for one that cannot be read. */
interface TemplateClass {
  new (source: string): { render(values: Readonly<Record<string, unknown>>): string };
}

export interface Engine extends Binding {
  readonly Template: TemplateClass;
}

/** @param dir  the folder into which the engine was installed. */
export async function loadEngine(dir: string): Promise<Engine> {
  const here = createRequire(pathToFileURL(`${dir}/package.json`));
  const binding = (await import(pathToFileURL(here.resolve('node-llama-cpp')).href)) as Binding;
  const { Template } = here('@huggingface/jinja') as { readonly Template: TemplateClass };
  return { ...binding, Template };
}
