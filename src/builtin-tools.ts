/** Tools of the assistant under the names of programs: what `import ... from 'wooster/tools'` gives. */
export {
  type BuiltinTool,
  fetchUrl,
  readFile,
  runCommand,
  searchWeb,
  writeFile,
} from './lang/runtime/builtin-tools.ts';
