import { existsSync } from 'node:fs';
import type { ProgramEngine } from '../../agent/job-turns.ts';
import type { TurnToolsRun } from '../../agent/types.ts';
import { AssistantError } from '../../base/errors.ts';
import { camelCase } from '../../base/text.ts';
import { ContentPins } from '../../plugins/content-pins.ts';
import type { JobProgram } from '../../scheduler/types.ts';
import type { Proposal } from '../../tools/gate/proposals.ts';
import { modelToolName, type Toolbox } from '../../tools/gate/toolbox.ts';
import type { Tool } from '../../tools/tool.ts';
import type { ListedProgram } from './listed.ts';
import type { LoadedProgram } from './load-program.ts';
import { type ProgramFile, ProgramFolders, type ProgramPlaces } from './program-folders.ts';
import { toolName } from './program-name.ts';
import type { ProgramDeps } from './run-within.ts';

export type ProgramsDeps = Omit<ProgramDeps, 'programs'> &
  ProgramPlaces & {
    /** A call that waits, or waited, for the owner. */
    proposal(id: string): Promise<Proposal>;
  };

/** Where a program is used: its calls are checked against these tools and the programs of this project. */
export interface Around {
  readonly toolbox: Toolbox;
  readonly project: string;
}

/** A program of the owner's, as it is now. */
interface Known {
  readonly place: ProgramFile;
  readonly program: LoadedProgram | { readonly why: string };
  readonly state: ListedProgram['state'];
}

/**
 * The owner's ThinkLang programs as tools of the assistant. They are in `programs/` of the home or of a project, and
 * are off until the owner agrees to one as it is.
 */
export class Programs {
  readonly folders: ProgramFolders;
  /** What they run on. */
  readonly deps: ProgramDeps;
  readonly #proposal: ProgramsDeps['proposal'];
  readonly #pins: ContentPins;
  /** Compiled programs by path; each is compiled again when one of its files has changed. */
  readonly #loaded = new Map<string, { readonly tools: string; readonly program: LoadedProgram }>();

  constructor(deps: ProgramsDeps) {
    this.folders = new ProgramFolders(deps);
    this.deps = { ...deps, programs: this.toolsFor };
    this.#proposal = (id) => deps.proposal(id);
    this.#pins = new ContentPins(deps.store, 'program');
  }

  /** Those of the project first. */
  async list(around: Around): Promise<readonly ListedProgram[]> {
    const { toolsOfProgram } = await import('./program-tools.ts');
    return (await this.#known(await this.folders.files(around.project), around)).map(
      ({ place: { id: _id, ...place }, state, program }) => {
        if ('why' in program) return { ...place, state, why: program.why, tools: [] };
        const { description } = program;
        return { ...place, state, description, tools: toolsOfProgram(program).map(({ name }) => name) };
      },
    );
  }

  /** Those that the owner agreed to as they were before. */
  async changed(around: Around): Promise<readonly ListedProgram[]> {
    const agreed = await this.#agreed(around.project);
    if (agreed.length === 0) return [];
    const ids = new Set(agreed.map(({ path }) => path));
    return (await this.list(around)).filter(({ path, state }) => ids.has(path) && state !== 'on');
  }

  /**
   * A program by its path or its name.
   *
   * @throws AssistantError `file_not_found`; `program_failed` for a program with errors.
   */
  async load(said: string, around: Around): Promise<LoadedProgram> {
    const path = await this.folders.find(said, around.project);
    const program = await this.#load(path, around);
    if (!('why' in program)) return program;
    if (!existsSync(path))
      throw new AssistantError('file_not_found', program.why, { hint: '"wooster think list" shows what there is.' });
    throw new AssistantError('program_failed', `The program ${said} cannot be used: ${program.why}`, {
      hint: `wooster think check ${said} shows what is wrong.`,
    });
  }

  /**
   * A program that the owner has agreed to as it is, for a job.
   *
   * @param args by the names of its parameters; texts are read as their types say.
   * @throws AssistantError as `load`; `program_changed` when they have not agreed; `bad_usage` for arguments that do
   *   not fit.
   */
  async forJob(said: string, given: Readonly<Record<string, unknown>>, around: Around): Promise<JobProgram> {
    const program = await this.load(said, around);
    const [known] = await this.#known(
      (await this.folders.files(around.project)).filter(({ path }) => path === program.path),
      around,
    );
    if (known?.state !== 'on') {
      const message = `The owner has not agreed to ${said} as it is: "wooster think trust ${said}" shows it.`;
      throw new AssistantError('program_changed', message, { hint: 'Read it, and if it is right, say so there.' });
    }
    const { programArguments } = await import('../runtime/arguments.ts');
    const args = await programArguments(program.compiled.params, given);
    return { path: program.path, hash: program.compiled.hash, args };
  }

  /** Whether a file is in a folder whose programs become tools. */
  async isOffered(path: string, project: string): Promise<boolean> {
    return (await this.folders.files(project)).some((each) => each.path === path);
  }

  /** Agree to a program as it was shown. */
  async trust({ path, compiled }: LoadedProgram, project: string): Promise<void> {
    const found = (await this.folders.files(project)).find((each) => each.path === path);
    if (found) await this.#pins.agree(found.id, compiled.hash);
  }

  /** Switch a program off. @throws AssistantError `bad_usage` for a file that is not a program of these folders. */
  async distrust(said: string, project: string): Promise<void> {
    const path = await this.folders.find(said, project);
    const found = (await this.folders.files(project)).find((each) => each.path === path);
    if (found) return this.#pins.agree(found.id, undefined);
    throw new AssistantError('bad_usage', `${said} is no program of the home or of the project.`, {
      hint: 'wooster think list shows them.',
    });
  }

  /** What runs a program as a job. */
  engineOf(program: JobProgram, earlier?: { readonly steps: string | undefined }): ProgramEngine {
    let engine: ProgramEngine | undefined;
    return {
      run: async (run) => {
        const { RunsProgram } = await import('./program-engine.ts');
        const parts = {
          ...this.deps,
          proposal: this.#proposal,
          load: (path: string, at: Around) => this.load(path, at),
        };
        engine = new RunsProgram(parts, program, earlier);
        return engine.run(run);
      },
      get suspended() {
        return engine?.suspended;
      },
    };
  }

  /** What a program may call besides the words of the language: the assistant's tools, and other programs. */
  async names({ toolbox, project }: Around): Promise<readonly string[]> {
    const { toolNames } = await import('../runtime/tool-names.ts');
    const programs = (await this.folders.files(project)).map(({ file }) => toolName(file));
    return [...toolNames(toolbox), ...programs.flatMap((name) => [name, camelCase(name)])];
  }

  /**
   * The programs as tools of a turn. Those whose name is taken are left out.
   *
   * @param within the paths of the programs that are running.
   */
  readonly toolsFor = async (run: TurnToolsRun, within: readonly string[] = []): Promise<readonly Tool[]> => {
    const agreed = await this.#agreed(run.turn.project);
    if (agreed.length === 0) return [];
    const { changedTool, programTool, toolsOfProgram } = await import('./program-tools.ts');
    const taken = new Set(run.toolbox.list().flatMap(({ name, functionName }) => [modelToolName(name), functionName]));
    const tools: Tool[] = [];
    const offer = (tool: Tool) => {
      if (taken.has(tool.name) || taken.has(tool.functionName)) return;
      taken.add(tool.name).add(tool.functionName);
      tools.push(tool);
    };
    for (const { place, program, state } of await this.#known(agreed, { ...run, project: run.turn.project })) {
      if (state !== 'on' || 'why' in program)
        offer(changedTool({ ...place, state, ...('why' in program && { why: program.why }) }));
      else
        for (const each of toolsOfProgram(program)) offer(await programTool(this.deps, each, { program, run, within }));
    }
    return tools;
  };

  /** The files that the owner has agreed to, as they were then. */
  async #agreed(project: string): Promise<readonly ProgramFile[]> {
    const files = await this.folders.files(project);
    if (files.length === 0) return [];
    const pins = await this.#pins.all();
    return files.filter(({ id }) => pins.get(id)?.hash !== undefined);
  }

  async #known(files: readonly ProgramFile[], around: Around): Promise<readonly Known[]> {
    const pins = await this.#pins.all();
    return Promise.all(
      files.map(async (place): Promise<Known> => {
        const program = await this.#load(place.path, around);
        if ('why' in program) return { place, program, state: 'broken' };
        const hash = pins.get(place.id)?.hash;
        return {
          place,
          program,
          state: hash === undefined ? 'off' : hash === program.compiled.hash ? 'on' : 'changed',
        };
      }),
    );
  }

  async #load(path: string, around: Around): Promise<LoadedProgram | { readonly why: string }> {
    const [{ loadProgram }, { readSource }] = await Promise.all([import('./load-program.ts'), import('../source.ts')]);
    const names = await this.names(around);
    const tools = names.join();
    const known = this.#loaded.get(path);
    if (known?.tools === tools && isSame(known.program, readSource)) return known.program;
    const program = loadProgram(path, names);
    if ('why' in program) this.#loaded.delete(path);
    else this.#loaded.set(path, { tools, program });
    return program;
  }
}

function isSame({ checked }: LoadedProgram, read: (path: string) => string): boolean {
  try {
    return checked.modules.every(({ path, source }) => read(path) === source);
  } catch {
    return false;
  }
}
