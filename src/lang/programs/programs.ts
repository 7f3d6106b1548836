import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Engine, TurnToolsRun } from '../../agent/types.ts';
import { AssistantError } from '../../base/errors.ts';
import { ContentPins } from '../../plugins/content-pins.ts';
import type { JobProgram } from '../../scheduler/types.ts';
import { modelToolName, type Toolbox } from '../../tools/gate/toolbox.ts';
import type { Tool } from '../../tools/tool.ts';
import type { LoadedProgram } from './load-program.ts';
import type { ProgramDeps } from './run-within.ts';

/** A program in one of the folders whose programs can be tools. */
export interface ListedProgram {
  /** The name of its file. */
  readonly file: string;
  readonly path: string;
  readonly place: 'project' | 'home';
  /** `changed`: it was on, but it or a file that it imports has changed since its owner agreed to it. */
  readonly state: 'on' | 'off' | 'changed' | 'broken';
  readonly why?: string;
  /** The names of the tools that it provides, or would if it were on. */
  readonly tools: readonly string[];
}

export interface ProgramsDeps extends ProgramDeps {
  /** The project whose `programs/` are available in every project. */
  readonly ownerDir: string;
  readonly projectFolder: (project: string) => string;
}

interface Place {
  readonly place: ListedProgram['place'];
  readonly file: string;
  readonly path: string;
  /** The key of its pin. */
  readonly id: string;
}

const FOLDER = 'programs';

/**
 * The owner's ThinkLang programs as tools of the assistant. They are in `programs/` of the home or of a project, and
 * are off until the owner agrees to one as it is.
 */
export class Programs {
  readonly #deps: ProgramsDeps;
  readonly #pins: ContentPins;
  /** Compiled programs by path; each is compiled again when one of its files has changed. */
  readonly #loaded = new Map<string, { readonly tools: string; readonly program: LoadedProgram }>();

  constructor(deps: ProgramsDeps) {
    this.#deps = deps;
    this.#pins = new ContentPins(deps.store, 'program');
  }

  /** Those of the project first. */
  async list(project: string, toolbox: Toolbox): Promise<readonly ListedProgram[]> {
    const { toolsOfProgram } = await import('./program-tools.ts');
    const places = await this.#places(project);
    const pins = await this.#pins.all();
    return Promise.all(
      places.map(async ({ id, ...place }): Promise<ListedProgram> => {
        const program = await this.#load(place.path, toolbox);
        if ('why' in program) return { ...place, state: 'broken', why: program.why, tools: [] };
        const hash = pins.get(id)?.hash;
        const state = hash === undefined ? 'off' : hash === program.compiled.hash ? 'on' : 'changed';
        return { ...place, state, tools: toolsOfProgram(program).map(({ name }) => name) };
      }),
    );
  }

  /** @throws AssistantError `program_failed` for a program with errors. */
  async load(path: string, toolbox: Toolbox): Promise<LoadedProgram> {
    const program = await this.#load(resolve(path), toolbox);
    if (!('why' in program)) return program;
    throw new AssistantError('program_failed', `The program ${path} cannot be used: ${program.why}`, {
      hint: `wooster think check ${path} shows what is wrong.`,
    });
  }

  /** Whether a file is in a folder whose programs become tools. */
  async isOffered(path: string, project: string): Promise<boolean> {
    return (await this.#places(project)).some((each) => each.path === path);
  }

  /** Agree to a program as it was shown. */
  async trust({ path, compiled }: LoadedProgram, project: string): Promise<void> {
    const found = (await this.#places(project)).find((each) => each.path === path);
    if (found) await this.#pins.agree(found.id, compiled.hash);
  }

  /** Switch a program off. @throws AssistantError `bad_usage` for a file that is not a program. */
  async distrust(file: string, project: string): Promise<void> {
    const found = (await this.#places(project)).find((each) => each.path === resolve(file) || each.file === file);
    if (found) return this.#pins.agree(found.id, undefined);
    throw new AssistantError('bad_usage', `${file} is no program of the home or of the project.`, {
      hint: 'wooster think list shows them.',
    });
  }

  /** What runs a program as a job. */
  engineOf(program: JobProgram): Engine {
    return {
      run: async (run) => {
        const { programEngine } = await import('./program-engine.ts');
        return programEngine({ ...this.#deps, programs: this }, program).run(run);
      },
    };
  }

  /** The folder in which programs of the home become tools. */
  get folder(): string {
    return join(this.#deps.ownerDir, FOLDER);
  }

  /** The tools of a turn. Tools whose name is taken are left out. */
  readonly toolsFor = async (run: TurnToolsRun): Promise<readonly Tool[]> => {
    const places = await this.#places(run.turn.project);
    if (places.length === 0) return [];
    const pins = await this.#pins.all();
    const pinned = places.filter(({ id }) => pins.get(id)?.hash !== undefined);
    if (pinned.length === 0) return [];
    const { programTool, toolsOfProgram } = await import('./program-tools.ts');
    const taken = new Set(run.toolbox.list().flatMap(({ name, functionName }) => [modelToolName(name), functionName]));
    const tools: Tool[] = [];
    for (const { id, path } of pinned) {
      const program = await this.#load(path, run.toolbox);
      if ('why' in program || program.compiled.hash !== pins.get(id)?.hash) continue;
      for (const offered of toolsOfProgram(program)) {
        const tool = await programTool(this.#deps, program, offered, run);
        if (taken.has(tool.name) || taken.has(tool.functionName)) continue;
        taken.add(tool.name).add(tool.functionName);
        tools.push(tool);
      }
    }
    return tools;
  };

  async #places(project: string): Promise<readonly Place[]> {
    const { ownerDir, projectFolder } = this.#deps;
    const ofProject = await programsIn(join(projectFolder(project), FOLDER));
    const ofHome = await programsIn(join(ownerDir, FOLDER));
    return [
      ...ofProject.map((each) => ({ ...each, place: 'project' as const, id: `projects/${project}/${each.file}` })),
      ...ofHome.map((each) => ({ ...each, place: 'home' as const, id: `home/${each.file}` })),
    ];
  }

  async #load(path: string, toolbox: Toolbox): Promise<LoadedProgram | { readonly why: string }> {
    const [{ loadProgram }, { toolNames }, { readSource }] = await Promise.all([
      import('./load-program.ts'),
      import('../runtime/tool-names.ts'),
      import('../source.ts'),
    ]);
    const names = toolNames(toolbox);
    const tools = names.join();
    const known = this.#loaded.get(path);
    if (known?.tools === tools && isSame(known.program, readSource)) return known.program;
    const program = loadProgram(path, names);
    if ('why' in program) this.#loaded.delete(path);
    else this.#loaded.set(path, { tools, program });
    return program;
  }
}

/** Symbolic links are not followed, since anybody may control their target. */
async function programsIn(dir: string): Promise<readonly { readonly file: string; readonly path: string }[]> {
  // Every turn checks, and there is mostly no such folder: an error with its stack costs more than a look.
  const entries = existsSync(dir) ? await readdir(dir, { withFileTypes: true }).catch(() => []) : [];
  const files = entries.filter((entry) => entry.isFile() && /^[^.].*(?<!\.test)\.tl$/u.test(entry.name));
  return files
    .map(({ name }) => ({ file: name, path: join(dir, name) }))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1));
}

function isSame({ checked }: LoadedProgram, read: (path: string) => string): boolean {
  try {
    return checked.modules.every(({ path, source }) => read(path) === source);
  } catch {
    return false;
  }
}
