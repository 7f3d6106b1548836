import { MODES, type Mode } from '../../base/turn.ts';
import { get } from './api.ts';
import { useZone } from './format.ts';
import { kept } from './kept.ts';

/** Whose home it is. */
export interface Home {
  readonly id: string;
  /** IANA. */
  readonly timeZone: string;
  readonly project: string;
  readonly mode: Mode;
  readonly projects: readonly string[];
  readonly version: string;
}

/** The home that this page shows, once it is known. */
class Session {
  #home: Home | undefined;

  /** @throws Problem 401 while this browser is not let in. */
  async open(): Promise<void> {
    this.#home = await get<Home>('/api/page/home');
    useZone(this.#home.timeZone);
  }

  get home(): Home {
    if (!this.#home) throw new Error('nothing is known of the home yet');
    return this.#home;
  }

  /** What is asked goes to the project that was chosen in this browser, as long as there is one of that name. */
  get project(): string {
    const chosen = kept<string>('project');
    return chosen !== undefined && this.home.projects.includes(chosen) ? chosen : this.home.project;
  }

  get mode(): Mode {
    const chosen = kept<string>('mode');
    return MODES.find((each) => each === chosen) ?? this.home.mode;
  }
}

export const session = new Session();
