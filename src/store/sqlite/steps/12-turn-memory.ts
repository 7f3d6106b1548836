/** What the scripts of a running turn stored, so that a turn that goes on after a kill can recall it. */
export const turnMemory = `
CREATE TABLE turn_memory (
  turn_id TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (turn_id, key)
) STRICT, WITHOUT ROWID;
`;
