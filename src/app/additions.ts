import type { App, Frontend } from '../face/app.ts';
import type { Plugin } from '../plugins/definition.ts';
import type { Settings } from '../settings/settings.ts';
import type { Tool } from '../tools/tool.ts';
import type { Serving } from './homes/serve-homes.ts';

/** What the program around us brings along. */
export interface Additions {
  /** We own the process: every fetch in it goes through the egress gateway, and LangChain traces nothing. */
  readonly ownsProcess?: boolean;
  /** The command that runs can repair a damaged database. */
  readonly mends?: boolean;
  readonly tools?: readonly Tool[];
  readonly plugins?: readonly Plugin[];
  /** One of several homes that one program serves: that program decides when to look for work. */
  readonly served?: Serving;
}

/** Puts the modules together, see `src/app.ts`. */
export type CreateApp = (settings: Settings, frontend: Frontend, additions?: Additions) => Promise<App>;
