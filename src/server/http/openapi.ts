import { z } from 'zod';
import { version } from '../../base/version.ts';
import { commandBody, decisionBody, lineBody, steerBody, tickBody, turnBody } from './bodies.ts';
import { LISTS } from './lists.ts';

interface Route {
  readonly method: 'get' | 'post' | 'put';
  readonly path: string;
  readonly summary: string;
  readonly body?: z.ZodType;
  readonly status?: 200 | 201 | 202;
  readonly query?: readonly string[];
}

const ROUTES: readonly Route[] = [
  { method: 'post', path: '/api/turns', summary: 'Begin a turn', body: turnBody, status: 202 },
  { method: 'post', path: '/api/turns/{id}/stop', summary: 'Stop a turn' },
  {
    method: 'post',
    path: '/api/turns/{id}/steer',
    summary: 'Add words to a running turn',
    body: steerBody,
    status: 202,
  },
  { method: 'get', path: '/api/turns/{id}/events', summary: 'The events of a turn, ending with its answer (SSE)' },
  { method: 'get', path: '/api/events', summary: 'The events of all turns (SSE)' },
  { method: 'post', path: '/api/approvals/{id}', summary: 'Decide a call that waits', body: decisionBody },
  { method: 'post', path: '/api/commands', summary: 'Run a command as the CLI does', body: commandBody },
  { method: 'get', path: '/api/me', summary: 'The device that asks' },
  { method: 'get', path: '/api/conversations/{id}', summary: 'A conversation with the events of its turns' },
  { method: 'get', path: '/api/proposals', summary: 'The calls that wait for approval, as people read them' },
  { method: 'get', path: '/api/lists', summary: 'The lists of the project', query: ['project'] },
  { method: 'post', path: '/api/lists/{name}', summary: 'Tick items', body: tickBody, query: ['project'] },
  { method: 'get', path: '/api/documents/text', summary: 'The text of a document', query: ['name', 'project'] },
  {
    ...{ method: 'get', path: '/api/documents/seen', summary: 'Where on its picture a cited text stands' },
    query: ['name', 'where', 'project'],
  },
  {
    ...{ method: 'get', path: '/api/documents/picture', summary: 'A page of a photo or a scan, as JPEG' },
    query: ['name', 'page', 'project'],
  },
  { method: 'post', path: '/api/complete', summary: 'What a word of a line can become', body: lineBody },
  { method: 'put', path: '/api/documents/{path}', summary: 'Add a document; the body is the file', status: 201 },
  { method: 'get', path: '/api/notes', summary: 'The notes of the project, oldest first', query: ['project'] },
  ...Object.entries(LISTS).map(([name, list]) => ({
    ...{ method: 'get' as const, path: `/api/${name}`, summary: `List ${name}` },
    query: ['project', ...Object.keys(list?.takes ?? {}), ...(list?.by ? ['limit', 'after'] : [])],
  })),
];

const PROBLEM = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'hint'],
      properties: { code: { type: 'string' }, message: { type: 'string' }, hint: { type: 'string' } },
    },
  },
};

/** @see https://spec.openapis.org/oas/v3.1.0 */
export function openApiDocument(): Readonly<Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of ROUTES) paths[route.path] = { ...paths[route.path], [route.method]: operation(route) };
  return {
    openapi: '3.1.0',
    info: { title: 'Wooster', version: version() },
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } }, schemas: { Problem: PROBLEM } },
    paths,
  };
}

function operation({ path, summary, body, status = 200, query = [] }: Route): Readonly<Record<string, unknown>> {
  const names = [...path.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name);
  const problem = { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } };
  return {
    summary,
    parameters: [
      ...names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...query.map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
    ],
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: z.toJSONSchema(body) } } },
    }),
    responses: { [status]: { description: summary }, default: { description: 'A named error', content: problem } },
  };
}
