import { GUEST_AI } from './guest-ai.ts';
import { GUEST_VALUES } from './guest-values.ts';

/**
 * The runtime of compiled programs in the sandbox, as text: values, operators, errors with places, and the loop around
 * each AI call. `host(op, payload)` is the only way out; it answers `{ ok }` or `{ error }`.
 */
export const GUEST = `${GUEST_VALUES}${GUEST_AI}`;
