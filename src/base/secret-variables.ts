const SECRET_NAME = /(?:^|_)(?:key|apikey|token|secret|passw(?:or)?d|webhook_url|credentials?)$/iu;
const MIN_CHARS = 8;

/** Values of variables whose name says that they are secret, also those of plugins and of other programs. */
export function secretVariables(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value && value.length >= MIN_CHARS && SECRET_NAME.test(name) ? [value] : [],
  );
}
