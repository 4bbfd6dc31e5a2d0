/** The types of a route of the service, and of a request to it. */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { AppError } from '../core/errors.ts'
import type { AnyOperation, AnySandboxOperation, HttpMethod } from '../core/operation.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { GatewayResponse, Credential } from '../gateway/request.ts'
import type { Logins } from '../oauth/service.ts'
import type { CrossOriginReaders } from './cross-origin.ts'
import type { DeviceBackend } from './device-page/backend.ts'
import type { ReadMetrics } from './metrics/meter.ts'
import type { PageBackend } from './pages/backend.ts'
import type { Snapshots } from './snapshots.ts'
import type { EventStream } from './streams.ts'
import type { ShareBackend } from './track/backend.ts'

/** The fields of a route's line in the log besides status and time. */
export type RouteLogFields = {
  operation: string | null
  path?: string
  account?: string
  code?: string | null
  /** The header that names the caller's trace. */
  traceparent?: string | undefined
  /** The caller that the request counts for, once its credential is accepted. */
  caller?: string
}

export type HandlerRequest = {
  raw: IncomingMessage
  /** The decoded path parameters. */
  params: Readonly<Record<string, string>>
  requestId: string
  /**
   * Reads the whole body. Throws `payload_too_large` above `limit` bytes, and the other errors of `readBody` in
   * `body.ts`.
   */
  readBody(limit: number): Promise<Uint8Array>
  /** Runs `work` that reads the body by itself, under the same limits. */
  receive<T>(work: () => Promise<T>): Promise<T>
}

export type Route = {
  /** The name in the log. */
  name: string
  method: HttpMethod | 'OPTIONS'
  /** With `{member}` for each path parameter. */
  path: string
  /**
   * The pages of other origins that may read it; none by default. A route that reads a cookie has no such readers, since a browser
   * would send it the cookies of a person.
   */
  crossOrigin?: CrossOriginReaders
  /**
   * Responds to a request. Its headers override the common ones. A page must set its own `Content-Security-Policy`. A
   * page with a form must also set `Referrer-Policy: same-origin`: without it a browser posts `Origin: null`, which
   * is rejected.
   */
  answer(
    incoming: HandlerRequest,
    note: RouteLogFields,
  ): Promise<
    Omit<GatewayResponse, 'body'> & { body: GatewayResponse['body'] | Uint8Array | Readable | EventStream }
  >
  /** Returns a page instead of a problem document, on routes for people. */
  refusal?(error: AppError, requestId: string): GatewayResponse
}

export type RouteDeps = {
  gateway: Gateway
  registry: {
    NAMES: readonly string[]
    load: (name: string) => Promise<{ operation: AnyOperation } | undefined>
  }
  /** The sandbox's control calls; undefined when they are off. */
  control:
    | {
        token: string
        /** True if callers of other machines may use them too. */
        toAll?: boolean
        calls: readonly AnySandboxOperation[]
        invoke: (name: string, input: Readonly<Record<string, unknown>>) => Promise<unknown>
        snapshots?: Snapshots
      }
    | undefined
  /** The approval page for devices; undefined where it is off. */
  devices?: DeviceBackend | undefined
  /** The sessions and events of the pages for people. */
  pages: PageBackend
  /** The links that show one resource to whoever has them. */
  shares: ShareBackend
  /** The endpoints that issue tokens to programs. */
  oauth: Pick<OAuthDeps, 'logins' | 'limits'>
  /** Reads a picture, for the owner of its resource. Throws `media_not_found`, `missing_token`, `invalid_token`. */
  media: (
    credential: Credential | undefined,
    mediaId: string,
  ) => Promise<{ contentType: string; bytes: Uint8Array }>
  /** Returns the current `Service-Time` header; throws when the store does not answer. */
  serviceTime: () => Promise<string>
  /** The same, of a service that is ready; throws `service_unavailable` when its store takes no changes. */
  ready: () => Promise<string>
  /** Reads the metrics, for programs of this machine; absent where they have an address of their own. */
  metrics?: ReadMetrics | undefined
  /** A monotonic clock in milliseconds. */
  elapsed: () => number
  /** Called with each error outside the closed table. */
  onBug: (error: unknown, requestId: string) => void
  version: string
}

export type OAuthDeps = Pick<RouteDeps, 'serviceTime' | 'onBug'> & {
  logins: Logins
  /** True if a person can approve a device on a page. */
  approval: boolean
  limits?: OAuthLimits | undefined
}

/** Limits for each address and minute: new codes, and attempts with unknown credentials. */
export type OAuthLimits = { devices: number; failures: number }
