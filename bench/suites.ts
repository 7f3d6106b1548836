/** A program that measures something and hands in its figures by `report`. */
export interface Suite {
  readonly name: string;
  /** In bench/. */
  readonly program: string;
  /** What it measures, for the page of results. */
  readonly about: string;
  /** Given to the program in a run of all suites, which has to end within 20 minutes. */
  readonly words?: readonly string[];
  /** For Node. */
  readonly flags?: readonly string[];
  readonly needs?: 'postgres' | 'sets';
}

const GC = ['--expose-gc'];

/** In the order of the page. */
export const SUITES: readonly Suite[] = [
  {
    ...{ name: 'start', program: 'start.ts' },
    about: 'What a start costs against a bare Node, until the prompt, to the end, and at rest.',
  },
  { name: 'terminal', program: 'terminal.ts', about: 'The prompt, keys and answers beside readline of Node.' },
  {
    ...{ name: 'turn', program: 'turn.ts' },
    about: 'One turn with one tool call in both modes against three other ways to do the same, on one loopback server.',
  },
  {
    ...{ name: 'modes', program: 'modes.ts' },
    about:
      'Ten tasks of 1 to 50 tool calls by a scripted model: what each mode asks of the model, and how long it takes.',
  },
  {
    ...{ name: 'sandbox', program: 'sandbox.ts', words: ['300'], flags: GC },
    about: 'Scripts in the sandbox: hot, cold, calls through the bridge, and what many of them leave behind.',
  },
  {
    ...{ name: 'rivals', program: 'rivals.ts' },
    about: 'Other sandboxes for model-written programs on the same programs, ten hostile ones included.',
  },
  {
    ...{ name: 'scale', program: 'scale.ts' },
    about: 'How cost grows with documents, schedules, conversations, messages that wait, notes and tools.',
  },
  {
    ...{ name: 'strangers', program: 'strangers.ts' },
    about: 'How long the owner waits in a chat while a stranger writes 10,000 messages at once.',
  },
  { name: 'gate', program: 'gate.ts', about: 'What the gate adds to a tool call.' },
  {
    ...{ name: 'hostile', program: 'hostile.ts' },
    about:
      'Texts of others, kept in ten ways and read at the terminal, in jobs and over MCP, by a model that obeys them.',
  },
  {
    ...{ name: 'models', program: 'models.ts', words: ['40'] },
    about: 'What router, retries and accounting add to a bare ChatOpenAI stream whose first token takes 100 ms.',
  },
  { name: 'lang', program: 'lang.ts', about: 'Programs in ThinkLang, and the library beneath them.' },
  { name: 'long', program: 'long.ts', about: 'Turns of many steps and conversations of many messages.' },
  { name: 'full-home', program: 'full-home.ts', about: 'A start and a question in a full home, against an empty one.' },
  { name: 'redact', program: 'redact.ts', about: 'Redaction of hostile lines of 1 MB, and of ordinary text.' },
  { name: 'store', program: 'store.ts', about: 'Operations of the store beside the bare driver.' },
  { name: 'scheduler', program: 'scheduler.ts', about: '10,000 jobs: adding, starting, idling, running.', flags: GC },
  {
    name: 'editors',
    program: 'editors.ts',
    about: 'What an editor waits for: the first answer, and a long conversation.',
  },
  {
    name: 'door',
    program: 'door.ts',
    about: 'What the door over HTTP costs at the start, until a turn shows itself, and until the page is painted.',
  },
  { name: 'mcp', program: 'mcp.ts', about: 'Loading MCP, a call beside the SDK, and what hostile servers hold up.' },
  {
    ...{ name: 'plugins', program: 'plugins.ts' },
    about: 'A start with each plugin, a plugin in its own process, the words for many tools, calendar, memory.',
  },
  {
    ...{ name: 'rag-speed', program: 'rag/speed.ts', words: ['20000'] },
    about:
      'Ingest and search of made-up prose. `npm run bench -- rag-speed 100000 60 50` is the size that targets are for.',
  },
  {
    ...{ name: 'rag-recall', program: 'rag/hnsw-recall.ts', words: ['10000', '128'] },
    about: 'Recall of the graph against looking at every vector.',
  },
  {
    ...{ name: 'rag-quality', program: 'rag/quality.ts', needs: 'sets' },
    about: 'Ranking on public test collections.',
  },
  {
    ...{ name: 'rag-compare', program: 'rag/compare.ts', needs: 'sets' },
    about: 'The same collections in other stores.',
  },
  {
    ...{ name: 'rag-pgvector', program: 'rag/pgvector.ts', words: ['10000'], needs: 'postgres' },
    about: 'Vectors in PostgreSQL: recall and times.',
  },
  {
    ...{ name: 'rag-workers', program: 'rag/workers.ts', words: ['', '5000'], needs: 'postgres' },
    about: 'Documents across workers of one home.',
  },
  {
    ...{ name: 'pictures', program: 'pictures.ts' },
    about: 'Text in photographed documents at three levels: characters, totals, what is marked, what is found.',
  },
  {
    ...{ name: 'scans', program: 'scans.ts' },
    about: 'Scans of 200 pages, killed and resumed, and of 500; pictures made to hurt; memory of all processes.',
  },
  {
    ...{ name: 'workers', program: 'workers.ts', words: ['2000'], needs: 'postgres' },
    about: 'Several programs on one PostgreSQL home: throughput, kills, waking.',
  },
  {
    ...{ name: 'homes', program: 'homes.ts', words: ['--homes', '10', '--seconds', '30'], needs: 'postgres' },
    about: 'How late jobs start when few workers serve many homes.',
  },
  {
    ...{ name: 'worth', program: 'worth.ts', needs: 'postgres' },
    about:
      'What one worker is worth: memory and rest over more and more homes, and turns per second and core over HTTP.',
  },
];
