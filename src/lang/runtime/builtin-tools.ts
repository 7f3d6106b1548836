/** One of the assistant's tools, under the name that programs use. Nothing runs until it is passed to `agent`. */
export interface BuiltinTool {
  /** The name that the program and its model use. */
  readonly name: string;
  /** The name of the gated tool behind it. */
  readonly gated: string;
}

/** HTTP GET of a public address: the text of the page. */
export const fetchUrl: BuiltinTool = { name: 'fetchUrl', gated: 'fetch_text' };
/** A file of the project. */
export const readFile: BuiltinTool = { name: 'readFile', gated: 'read_file' };
/** Writes a file of the project; the previous version is kept. */
export const writeFile: BuiltinTool = { name: 'writeFile', gated: 'write_file' };
/** A command in the sandbox of a workspace, if one is set up. */
export const runCommand: BuiltinTool = { name: 'runCommand', gated: 'execute_command' };
export const searchWeb: BuiltinTool = { name: 'searchWeb', gated: 'web_search' };

export function isBuiltin(tool: object): tool is BuiltinTool {
  return 'gated' in tool;
}
