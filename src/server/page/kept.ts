/** What this browser keeps for its owner. Where it may keep nothing, the page works all the same. */
export function kept<Value>(name: string): Value | undefined {
  try {
    const text = localStorage.getItem(`wooster.${name}`);
    return text === null ? undefined : (JSON.parse(text) as Value);
  } catch {
    return undefined;
  }
}

/** @param value undefined forgets it. */
export function keep(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(`wooster.${name}`);
    else localStorage.setItem(`wooster.${name}`, JSON.stringify(value));
  } catch {
    // Full, or forbidden in this browser.
  }
}
