const NOT_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether a request failed before a connection was made, so that none of it was sent. */
export function neverConnected(error: unknown): boolean {
  return codesOf(error).some((code) => NOT_SENT.has(code));
}

/** Whether the network rules refused a request. */
export function wasRefused(error: unknown): boolean {
  return codesOf(error).includes('egress_refused');
}

/** The `code` of an error, of its causes and, when several addresses were tried at once, of each attempt. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { code } = error as { code?: unknown };
  const attempts = error instanceof AggregateError ? error.errors.flatMap(codesOf) : [];
  return [...(typeof code === 'string' ? [code] : []), ...attempts, ...codesOf(error.cause)];
}
