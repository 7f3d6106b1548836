import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** Loaded ahead of a program with `--import`: notes the packages it loads, each once, in the file LOADED_PACKAGES names. */
const seen = new Set<string>();
registerHooks({
  load: (url, context, next) => {
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/u.exec(url)?.[1];
    if (name !== undefined && !seen.has(name)) appendFileSync(process.env.LOADED_PACKAGES ?? '', `${name}\n`);
    seen.add(name ?? '');
    return next(url, context);
  },
});
