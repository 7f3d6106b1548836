/** What a passage that came from a LangChain store carried along there, as JSON; NULL for passages of files. */
export const imported = `
ALTER TABLE chunks ADD COLUMN metadata TEXT;
`;
