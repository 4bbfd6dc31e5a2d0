/** All routes of the service as one list: the operations, the control calls, and the others. */
import { AppError } from '../core/errors.ts'
import { invalidRequest } from '../core/invalid-request.ts'
import type { AnyOperation, AnySandboxOperation } from '../core/operation.ts'
import { commonHeaders } from '../gateway/gateway.ts'
import { readRequestInput } from '../gateway/request.ts'
import { assertAcceptsJson } from './accept.ts'
import { isFromHere } from './admission.ts'
import { assertControlToken, readCredential } from './bearer.ts'
import { invokeOperation, httpInput } from './call.ts'
import { devicePageRoutes } from './device-page/routes.ts'
import { docsRoutes } from './docs/routes.ts'
import { eventStreamRoute } from './events/stream.ts'
import { jsonAnswer } from './json-response.ts'
import { labelRoute } from './label/route.ts'
import { metricsRoute } from './metrics/route.ts'
import { oauthRoutes } from './oauth.ts'
import { openapiDocument } from './openapi.ts'
import { pageRoutes } from './pages/routes.ts'
import type { HandlerRequest, RouteDeps, Route } from './route.ts'
import { receiveSnapshot, sendSnapshot } from './snapshots.ts'
import type { Snapshots } from './snapshots.ts'

/** Returns all routes of the service. */
export async function makeRoutes(deps: RouteDeps): Promise<Route[]> {
  const operations = await loadAll(deps.registry)
  const routes = [
    ...operations.map((operation) => operationRoute(operation, deps)),
    ...controlRoutes(deps),
    ...(deps.metrics === undefined ? [] : [onlyFromHere(metricsRoute(deps.metrics))]),
    mediaRoute(deps),
    labelRoute(deps),
    ...devicePageRoutes(deps),
    ...oauthRoutes({ ...deps, ...deps.oauth, approval: deps.control !== undefined }),
    eventStreamRoute(deps),
    ...pageRoutes(deps),
    ...docsRoutes(operations, deps),
    ...documentRoutes(operations, deps),
    ...controlDocumentRoutes(deps),
  ]
  return routes
}

async function loadAll({ NAMES, load }: RouteDeps['registry']): Promise<AnyOperation[]> {
  const loaded = await Promise.all(NAMES.map((name) => load(name)))
  return loaded.flatMap((entry) => (entry === undefined ? [] : [entry.operation]))
}

/** Returns the routes of a path, one for each method; empty when there is no such path. */
export function routesAt(routes: readonly Route[], path: string): Route[] {
  const segments = path.split('/')
  return routes.filter((route) => fits(route.path.split('/'), segments))
}

/** Returns the methods of a path, for 405 and its Allow header; empty when there is no such path. */
export function allowedMethods(routes: readonly Route[], path: string): string[] {
  const methods = routesAt(routes, path).map(({ method }) => method)
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods
}

function fits(template: string[], segments: string[]): boolean {
  return (
    template.length === segments.length &&
    template.every(
      (part, index) => part === segments[index] || (part.startsWith('{') && segments[index] !== ''),
    )
  )
}

function operationRoute(
  { name, method, path }: AnyOperation,
  { gateway, control }: Pick<RouteDeps, 'gateway' | 'control'>,
): Route {
  return {
    name,
    method,
    path,
    crossOrigin: 'allowed',
    async answer(incoming, note) {
      const { raw } = incoming
      assertAcceptsJson(raw.headers.accept)
      return invokeOperation(gateway, name, { ...incoming, fault: readFault(raw, control) }, note)
    },
  }
}

/** Returns the header that orders a fault. Throws `invalid_request` where the caller could not use the control calls. */
function readFault(raw: HandlerRequest['raw'], control: RouteDeps['control']): string | undefined {
  const fault = raw.headers['sandbox-fault']
  if (fault === undefined) return undefined
  if (control !== undefined && (control.toAll === true || isFromHere(raw))) return String(fault)
  const detail = 'Sandbox-Fault is only for callers that could use the control calls of this sandbox'
  throw invalidRequest([{ header: 'Sandbox-Fault', code: 'unknown_member', detail }])
}

/** All holders of the control token count as this one caller. */
const CONTROLLER = 'control'

/** Returns the routes of the control calls, for the holder of the token. */
export function controlRoutes(deps: Pick<RouteDeps, 'control' | 'serviceTime'>): Route[] {
  const { control } = deps
  if (control === undefined) return []
  const routes = [
    ...control.calls.map((call) => controlRoute(call, control, deps)),
    ...(control.snapshots === undefined ? [] : snapshotRoutes(control.snapshots, control.token, deps)),
  ]
  return guarded(routes, control)
}

/** Keeps the routes of the control plane from callers of other machines, unless the operator opened it to them. */
function guarded(routes: readonly Route[], { toAll }: NonNullable<RouteDeps['control']>): Route[] {
  return toAll === true ? [...routes] : routes.map(onlyFromHere)
}

/** Hides a route from callers of other machines that come through a proxy of this one. */
function onlyFromHere(route: Route): Route {
  return {
    ...route,
    async answer(incoming, note) {
      if (isFromHere(incoming.raw)) return route.answer(incoming, note)
      throw new AppError('route_not_found', 'Path not found; GET /openapi.json lists all paths.')
    },
  }
}

function controlRoute(
  call: AnySandboxOperation,
  control: NonNullable<RouteDeps['control']>,
  { serviceTime }: Pick<RouteDeps, 'serviceTime'>,
): Route {
  return {
    name: `sandbox:${call.name}`,
    method: call.method,
    path: call.path,
    crossOrigin: 'allowed',
    async answer(incoming, note) {
      assertControlToken(incoming.raw, control.token)
      note.caller = CONTROLLER
      const { input, misplaced } = await readRequestInput(call, { http: httpInput(incoming) })
      if (misplaced.length > 0) throw invalidRequest(misplaced)
      const value = await control.invoke(call.name, input)
      return jsonAnswer(incoming.requestId, await timeIfKnown(serviceTime), JSON.stringify(value ?? {}))
    },
  }
}

/** Returns the route of the document of the control calls. It needs no token: generators of clients fetch it. */
function controlDocumentRoutes({ control, serviceTime, version }: RouteDeps): Route[] {
  if (control === undefined) return []
  const { calls, snapshots } = control
  let document: Promise<Uint8Array> | undefined
  const write = async (): Promise<Uint8Array> => {
    const { sandboxDocument } = await import('./openapi-sandbox.ts')
    const { CONTROL_EXAMPLES } = await import('../generated/control-examples.ts')
    const parts = { version, examples: CONTROL_EXAMPLES, snapshots: snapshots !== undefined }
    return Buffer.from(JSON.stringify(sandboxDocument(calls, parts)))
  }
  const name = 'sandbox/openapi.json'
  const route: Route = {
    name,
    method: 'GET',
    path: `/${name}`,
    crossOrigin: 'allowed',
    async answer({ requestId }) {
      document ??= write()
      return { ...jsonAnswer(requestId, await timeIfKnown(serviceTime), ''), body: await document }
    },
  }
  return guarded([route], control)
}

/** Returns the service's time, if the store answers. Its failure must not fail a call whose work is done. */
function timeIfKnown(serviceTime: RouteDeps['serviceTime']): Promise<string | undefined> {
  return serviceTime().catch(() => undefined)
}

function snapshotRoutes(
  snapshots: Snapshots,
  token: string,
  { serviceTime }: Pick<RouteDeps, 'serviceTime'>,
): Route[] {
  const path = '/sandbox/snapshot'
  return [
    {
      name: 'sandbox:save_snapshot',
      method: 'GET',
      path,
      crossOrigin: 'allowed',
      async answer({ raw, requestId }) {
        assertControlToken(raw, token)
        const body = await sendSnapshot(snapshots)
        const headers = commonHeaders(requestId, await timeIfKnown(serviceTime))
        return { status: 200, headers: { ...headers, 'Content-Type': 'application/x-ndjson' }, body }
      },
    },
    {
      name: 'sandbox:load_snapshot',
      method: 'PUT',
      path,
      crossOrigin: 'allowed',
      async answer({ raw, requestId, receive }, note) {
        assertControlToken(raw, token)
        note.caller = CONTROLLER
        if (raw.headers['content-type'] !== 'application/x-ndjson')
          throw new AppError('unsupported_media_type', 'A snapshot is sent as application/x-ndjson.')
        const head = await receive(() => receiveSnapshot(snapshots, raw))
        return jsonAnswer(requestId, await timeIfKnown(serviceTime), JSON.stringify(head))
      },
    },
  ]
}

/** Returns the route of pictures, for the owners of their resources. */
export function mediaRoute({ media, serviceTime }: Pick<RouteDeps, 'media' | 'serviceTime'>): Route {
  return {
    name: 'media',
    method: 'GET',
    path: '/media/{media_id}',
    crossOrigin: 'allowed',
    async answer({ raw, params, requestId }) {
      const mediaId = params['media_id'] ?? ''
      const { contentType, bytes } = await media(readCredential(raw), mediaId)
      // Only pictures are displayed; any other type is downloaded, so that the browser does not run it.
      const shown = /^image\/(png|jpeg|webp)$/.test(contentType)
      return {
        status: 200,
        headers: {
          ...commonHeaders(requestId, await timeIfKnown(serviceTime)),
          'Content-Type': shown ? contentType : 'application/octet-stream',
          'Content-Disposition': `${shown ? 'inline' : 'attachment'}; filename="${mediaId.replaceAll(/[^\w.-]/g, '_')}"`,
          'X-Content-Type-Options': 'nosniff',
        },
        body: bytes,
      }
    },
  }
}

/** Returns the routes of a health check. HAProxy sends OPTIONS where its configuration names no method. */
export function probeRoutes(name: string, answer: Route['answer']): Route[] {
  return (['GET', 'OPTIONS'] as const).map((method) => ({
    name,
    method,
    path: `/${name}`,
    crossOrigin: 'allowed',
    answer,
  }))
}

function documentRoutes(
  operations: readonly AnyOperation[],
  { serviceTime, ready, version, onBug }: RouteDeps,
): Route[] {
  /** The document is built once: it is long, and each of many responses would hold a copy until it is read. */
  let document: Uint8Array | undefined
  const get = (name: string, answer: Route['answer']): Route => ({
    name,
    method: 'GET',
    path: `/${name}`,
    crossOrigin: 'anyone',
    answer,
  })
  return [
    get('openapi.json', async ({ requestId }) => {
      if (document === undefined) {
        const { EXAMPLES } = await import('../generated/examples.ts')
        document = Buffer.from(JSON.stringify(openapiDocument(operations, version, EXAMPLES)))
      }
      return { ...jsonAnswer(requestId, await timeIfKnown(serviceTime), ''), body: document }
    }),
    get('llms.txt', async ({ requestId }) => ({
      status: 200,
      headers: {
        ...commonHeaders(requestId, await timeIfKnown(serviceTime)),
        'Content-Type': 'text/plain; charset=utf-8',
      },
      body: (await import('../generated/guide.ts')).LLMS,
    })),
    // This check covers only the process; /readyz also checks its store.
    ...probeRoutes('healthz', async ({ requestId }) => jsonAnswer(requestId, undefined, '{"status":"ok"}')),
    ...probeRoutes('readyz', async ({ requestId }) => {
      const time = await ready().catch((error: unknown) => {
        onBug(error, requestId)
        if (error instanceof AppError && error.code === 'service_unavailable') throw error
        throw new AppError('service_unavailable', 'The store does not respond.')
      })
      return jsonAnswer(requestId, time, '{"status":"ready"}')
    }),
  ]
}
