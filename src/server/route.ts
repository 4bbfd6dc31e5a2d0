/** A route of the service, and a request on its way to it. Types only. */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { AppError } from '../core/errors.ts'
import type { AnyOperation, Method } from '../core/operation.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Answer, Credential } from '../gateway/request.ts'
import type { Logins } from '../oauth/service.ts'
/** A route of the service, and a request on its way to it. Types only. */
import type { DeviceDesk } from './device-page/desk.ts'
import type { Snapshots } from './snapshots.ts'

/** The members of a route's line in the log besides status and time. */
export type Served = {
  operation: string | null
  path?: string
  account?: string
  code?: string | null
  /** For whom the request counts, once its credential is accepted. */
  caller?: string
}

export type Incoming = {
  raw: IncomingMessage
  /** Of the path, decoded. */
  params: Readonly<Record<string, string>>
  requestId: string
  /** Reads the whole body. Throws `payload_too_large` above `limit` bytes, and what else `readBody` of `body.ts` throws. */
  readBody(limit: number): Promise<Uint8Array>
  /** The same for work that reads the body by itself. */
  receive<T>(work: () => Promise<T>): Promise<T>
}

export type Route = {
  /** For the log. */
  name: string
  method: Method
  /** With `{member}` for each path parameter. */
  path: string
  /**
   * Its headers win over those that every answer has. A page must bring a `Content-Security-Policy` of its own, and with
   * a form `Referrer-Policy: same-origin` too: with none a browser posts `Origin: null`, which is refused.
   */
  answer(
    incoming: Incoming,
    note: Served,
  ): Promise<Omit<Answer, 'body'> & { body: Answer['body'] | Uint8Array | Readable }>
  /** What is shown instead of a problem document, where people look. */
  refusal?(error: AppError, requestId: string): Answer
}

export type RouteDeps = {
  gateway: Gateway
  registry: {
    NAMES: readonly string[]
    load: (name: string) => Promise<{ operation: AnyOperation } | undefined>
  }
  /** The sandbox's control plane; undefined where it is off. Its calls look like operations. */
  control:
    | {
        token: string
        calls: readonly ControlCall[]
        invoke: (name: string, input: Readonly<Record<string, unknown>>) => Promise<unknown>
        snapshots?: Snapshots
      }
    | undefined
  /** Where people let devices log in by a page; undefined where they may not. */
  devices?: DeviceDesk | undefined
  /** The endpoints at which programs get their tokens. */
  oauth: Pick<OAuthDeps, 'logins' | 'limits'>
  /** A picture, for the owner of what it belongs to. Throws `media_not_found`, `missing_token`, `invalid_token`. */
  media: (
    credential: Credential | undefined,
    mediaId: string,
  ) => Promise<{ contentType: string; bytes: Uint8Array }>
  /** `Service-Time` of this moment; throws when the store does not answer. */
  serviceTime: () => Promise<string>
  /** Told about errors that are not of the closed table. */
  onBug: (error: unknown, requestId: string) => void
  version: string
}

/** Of a control call, what travels over HTTP. */
export type ControlCall = Pick<AnyOperation, 'name' | 'method' | 'pathParameters' | 'input' | 'bodyLimit'> & {
  path: string
}

export type OAuthDeps = Pick<RouteDeps, 'serviceTime' | 'onBug'> & {
  logins: Logins
  /** Whether there is a page where a person can approve a device. */
  approval: boolean
  limits?: OAuthLimits | undefined
}

/** Per address and minute: new codes, and tries with what is not known here. */
export type OAuthLimits = { devices: number; failures: number }
