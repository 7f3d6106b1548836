/** How each turn in code mode went: replies, of those clean ones, failed attempts, and whether it fell back. */
export const codeTurns = `
CREATE TABLE code_turns (
  turn_id TEXT PRIMARY KEY,
  model TEXT NOT NULL,
  replies INTEGER NOT NULL,
  clean INTEGER NOT NULL,
  retries INTEGER NOT NULL,
  fell_back INTEGER NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
`;
