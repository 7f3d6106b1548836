import type { Plugin } from '../plugins/definition.ts';
import type { App, Frontend } from '../repl/app.ts';
import type { Settings } from '../settings/settings.ts';
import type { Tool } from '../tools/tool.ts';
import type { Serving } from './homes/serve-homes.ts';

/** What the program around us brings along. */
export interface Additions {
  /** The process is ours alone: what any code in it fetches takes the one way out, and LangChain traces nothing. */
  readonly ownsProcess?: boolean;
  /** A command runs that can put a damaged database right. */
  readonly mends?: boolean;
  readonly tools?: readonly Tool[];
  readonly plugins?: readonly Plugin[];
  /** It is one of several homes that a program serves: whoever does looks when there is something to do. */
  readonly served?: Serving;
}

/** Puts the modules together, see `src/app.ts`. */
export type CreateApp = (settings: Settings, frontend: Frontend, additions?: Additions) => Promise<App>;
