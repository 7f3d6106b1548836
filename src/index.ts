/** The public API of the package: what `import ... from 'wooster'` gives. See docs/embedding.md. */
export { AssistantError, type ErrorCode } from './base/errors.ts';
export type {
  ApprovalRequest,
  Decision,
  Mode,
  Provenance,
  StopReason,
  Turn,
  TurnEvent,
  Usage,
  Verdict,
} from './base/turn.ts';
export { createAssistant, runProgram } from './embed/open.ts';
export type {
  Approve,
  AskOptions,
  Assistant,
  AssistantOptions,
  EmbedAnswer as Answer,
  ModelSetup,
  RunProgramOptions,
} from './embed/types.ts';
export { definePlugin, type Plugin, type PluginHost, type Preparation } from './plugins/definition.ts';
export * from './runtime.ts';
