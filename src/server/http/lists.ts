/** Each list of the API, and the command whose rows it has. */
export const LISTS: Readonly<Partial<Record<string, readonly string[]>>> = {
  conversations: ['sessions', '--limit', '200'],
  approvals: ['approvals'],
  jobs: ['schedule', 'list'],
  documents: ['sources'],
  memory: ['memory', 'list'],
  usage: ['usage'],
  status: ['status'],
  tools: ['tools'],
  models: ['models'],
  projects: ['project', 'list'],
};
