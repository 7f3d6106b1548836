/** One folder (or top file) of src/ and the one idea that lives there. */
export interface Module {
  readonly name: string;
  readonly idea: string;
}

/**
 * The modules by layer, top first: a file imports its own module and lower layers only, and modules of one layer do not
 * know each other. `src/rooms.test.ts` enforces it; the table in AGENTS.md is printed from here.
 */
export const LAYERS: readonly (readonly Module[])[] = [
  [
    { name: 'main', idea: 'argv, signals, exit codes; the only file that may end the process' },
    { name: 'index', idea: 'what `import ... from "wooster"` gives' },
    { name: 'langchain', idea: 'what `import ... from "wooster/langchain"` gives' },
  ],
  [
    { name: 'runtime', idea: 'what `import ... from "wooster/runtime"` gives: AI calls for programs' },
    { name: 'compiler', idea: 'what `import ... from "wooster/compiler"` gives' },
    { name: 'builtin-tools', idea: 'what `import ... from "wooster/tools"` gives' },
  ],
  [{ name: 'parser', idea: 'what `import ... from "wooster/parser"` gives' }],
  [{ name: 'embed', idea: 'the assistant inside another program: createAssistant and what it returns' }],
  [{ name: 'app', idea: 'puts the program together; the only file that knows every module' }],
  [
    { name: 'repl', idea: 'terminal in and out; commands/ has one file per command, for argv and slash alike' },
    {
      name: 'server',
      idea: 'the program over protocols: acp/ for editors, http/ and openai/ for programs, page/ for browsers, messages/ for chats',
    },
  ],
  [{ name: 'face', idea: 'what every frontend sees of the program: its parts, one turn, errors as people read them' }],
  [
    { name: 'lang', idea: 'ThinkLang, the language of .tl programs: grammar, diagnostics, checks, runtime' },
    { name: 'evals', idea: 'tasks that a configured model is tried with, and how it did' },
  ],
  [{ name: 'agent', idea: 'one turn from request to answer: prompt, jobs, classic/ and code/' }],
  [
    { name: 'conversation', idea: 'messages, history, search, export, compaction, token counts' },
    { name: 'workspace', idea: 'boxes in which commands run' },
  ],
  [{ name: 'plugins', idea: 'discover, validate, load and unload plugins' }],
  [{ name: 'builtin', idea: 'the assistant without a model: understands requests by the example sentences of tools' }],
  [{ name: 'tools', idea: 'gate/ decides, runs and records every call; builtin/ has the tools themselves' }],
  [{ name: 'answers', idea: 'answers from passages: sentences, tables, follow-ups, related words; stores nothing' }],
  [
    { name: 'rag', idea: "read, chunk, index and search the user's documents; projects" },
    { name: 'scheduler', idea: 'jobs, runs, what is due, recovery; calls back, knows no agent' },
  ],
  [
    { name: 'models', idea: 'providers, router, health, cost, embeddings' },
    { name: 'sandbox', idea: 'runs model-written JavaScript in an isolate in a child process' },
    { name: 'notify', idea: 'channels, outbox, delivery' },
  ],
  [
    { name: 'store', idea: 'the database, its migrations, backup and the log files' },
    { name: 'net', idea: 'the one way out: the egress gateway' },
  ],
  [
    { name: 'when', idea: 'words of time and time zones: the one grammar' },
    { name: 'quantities', idea: 'numbers, amounts, units and sums as people write them: the one grammar; says them' },
  ],
  [{ name: 'words', idea: 'names of days and months, number words, units, small words, in English and German' }],
  [{ name: 'base', idea: 'types shared by all, errors, ids, clock, redaction; imports nothing of ours' }],
];

/** The table of AGENTS.md. @param pathOf the path of a module below src/; undefined: it does not exist yet. */
export function layersTable(pathOf: (module: string) => string | undefined): string {
  const layers = LAYERS.map((layer) => layer.filter(({ name }) => pathOf(name))).filter(({ length }) => length > 0);
  const rows = layers.flatMap((layer, index) =>
    layer.map(({ name, idea }) => `| ${index + 1} | \`src/${pathOf(name)}\` | ${idea} |`),
  );
  return ['| Layer | Module | What lives there |', '|---|---|---|', ...rows].join('\n');
}
