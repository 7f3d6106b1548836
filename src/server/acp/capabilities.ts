/** What this agent can do, told at the first request. */
export const CAPABILITIES = {
  loadSession: true,
  promptCapabilities: { embeddedContext: true, image: true, audio: false },
  mcpCapabilities: { http: false, sse: false },
  sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {} },
} as const;
