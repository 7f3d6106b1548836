/** Who of several recipients a message still has to reach, and who it will never reach, as JSON; NULL: everybody. */
export const recipients = `
ALTER TABLE outbox ADD COLUMN recipients TEXT;
`;
