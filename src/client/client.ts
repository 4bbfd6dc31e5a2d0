/** The only interface from the command line and the tools to the service. Its callers do not know the transport. */
import type { CallChannel } from '../core/origin.ts'
import type { PageName } from '../core/pages.ts'
import type { AccountLimits } from '../gateway/rate-limit.ts'
import type { ControlAnswer, ControlInput } from '../sandbox/control/index.ts'
import type { AnswerOf, InputOf } from './operations.ts'

export type ClientCallOptions = {
  /**
   * The idempotency key of a call that is not a read. One is made by default, so that a retry after a lost response
   * does nothing twice.
   */
  idempotencyKey?: string
  /** The value of the `Sandbox-Scenario` header. */
  scenario?: string | undefined
  /** The value of the `Sandbox-Fault` header, which only the first attempt carries. */
  fault?: string | undefined
  /** A person agreed to exactly this call of an agent. */
  agreed?: boolean
  /** The import of a file whose part this call is, `imp_…`: the service keeps it beside what the call changes. */
  importId?: string
  /** A sandbox account to use instead of the target's, by id or handle. */
  as?: string
  /** A token of the embedded service to use instead of the target's account, with its scopes. */
  token?: string
  /** Ends a call that has not been answered. A change may have been made by then. */
  signal?: AbortSignal
  /**
   * Called when a change begins: in the service's transaction, or before it is sent to a service elsewhere. Throws when
   * the caller does not want it any more; then nothing is changed.
   */
  beforeChange?: () => void
  /** Called after each row of a batch was read, where the service is in this process. */
  onRow?: (() => void) | undefined
}

/** The caller's account. Fields that the service does not report are undefined. */
export type Identity = {
  accountId: string | undefined
  /** The short name. */
  account: string | undefined
  scopes: readonly string[] | undefined
}

export type CallResult<A = unknown> = {
  value: A
  status: number
  /** True when the response is that of an earlier call with the same key. */
  replayed: boolean
  /** True when such a response shows the resource as it is now, and not as it was then. */
  isNow?: true
  requestId: string
  /** The service's clock at the time of the call. */
  serviceTime: ServiceTime
}

export type SharedLinkInfo = { resource_id: string; path: string; expires_at: string }

export type ServiceTime = { now: number; frozen: boolean }

/** The facts that a service adds to each response. Fields that it does not report are undefined. */
export type ServiceFacts = { time: ServiceTime | undefined; environment: 'sandbox' | 'live' | undefined }

export type Client = {
  /** Carries out an operation. Throws AppError for every failure of the service or of the connection. */
  call: <N extends string>(
    operation: N,
    input: InputOf<N>,
    options?: ClientCallOptions,
  ) => Promise<CallResult<AnswerOf<N>>>
  /** Returns the service's current time. `limitMs` may shorten the usual timeout. Throws AppError. */
  serviceTime(limitMs?: number): Promise<ServiceTime>
  /** Returns the facts of the service's latest response, success or failure: a new object each time. */
  latestFacts(): ServiceFacts | undefined
  /** Returns the credential's account and scopes, or those of a token of the embedded service. Throws AppError. */
  whoAmI(token?: string): Promise<Identity>
  /** Makes a control call of the sandbox. Throws AppError. */
  control: <N extends string>(name: N, input: ControlInput<N>) => Promise<ControlAnswer<N>>
  /** Makes a link that signs a browser in to a page, as the target's account; the world needs control. Throws AppError. */
  createPageLink(page: PageName | undefined): Promise<{ path: string; expires_in: number }>
  /** Makes a link that shows a resource of the target's account to whoever has it. Throws AppError. */
  share(resourceId: string): Promise<SharedLinkInfo>
  /** Ends all links of a resource; returns how many there were. Throws AppError. */
  withdraw(resourceId: string): Promise<{ resource_id: string; withdrawn: number }>
  /** Passes the whole sandbox, as it is at one instant, to `keep` in chunks. Throws AppError. */
  saveSnapshot(keep: (chunk: Uint8Array) => void): Promise<void>
  /** Replaces the sandbox with a saved one, completely or not at all. Throws AppError. */
  loadSnapshot(open: () => AsyncIterable<Uint8Array>): Promise<unknown>
  /**
   * Returns a picture of a proof or an evidence item. With a token of the embedded service, the picture must belong
   * to its account.
   */
  media(mediaId: string, token?: string): Promise<{ contentType: string; bytes: Uint8Array }>
  close(): Promise<void>
}

/**
 * A call by any name with any input. Transports implement it, and callers use it for names that are only known at run
 * time.
 */
export type AnyCall = (
  operation: string,
  input: Readonly<Record<string, unknown>>,
  options?: ClientCallOptions,
) => Promise<CallResult>

/**
 * Returns the call with the types of each operation. They are safe, because responses are checked against the schema.
 */
export function withOperationTypes(call: AnyCall): Client['call'] {
  return call as Client['call']
}

/** A control call by any name with any input. */
export type AnyControlCall = (name: string, input: Readonly<Record<string, unknown>>) => Promise<unknown>

/** Gives a control call the types of each one. */
export function withControlTypes(control: AnyControlCall): Client['control'] {
  return control as Client['control']
}

/** The kind of program that makes the calls of a client; by default a terminal. */
type Caller = Extract<CallChannel, 'terminal' | 'agent'>

/** The service that receives the calls. */
export type Target =
  | {
      kind: 'embedded'
      /** A path, or postgres://… */ store: string
      /** Account id or handle. */ account: string
      /** True if a customer may have only one ride at a time. */
      oneActiveRide?: boolean
      /** The rate limits of an account; none by default. */
      limits?: AccountLimits | undefined
      via?: Caller | undefined
    }
  | {
      kind: 'remote'
      baseUrl: string
      via?: Caller | undefined
      token: string | undefined
      controlToken: string | undefined
      timeoutMs: number | undefined
      /**
       * A sandbox account to use instead of the token's, by id or handle. Its token is minted with the control token.
       */
      account?: string
      /** The profile of the login, and its account when the command began. */
      login?: { profile: string; account: string | undefined }
    }

/** Returns a client that calls with a token of the embedded service. */
export function clientWithToken(client: Client, token: string): Client {
  return {
    ...client,
    call: (operation, input, options) => client.call(operation, input, { ...options, token }),
    whoAmI: () => client.whoAmI(token),
    media: (mediaId) => client.media(mediaId, token),
  }
}

/** Parses `Service-Time` and `Environment` from headers with names in lower case. Invalid values become undefined. */
export function readFacts(headers: Readonly<Record<string, string | undefined>>): ServiceFacts {
  const time = parseServiceTime(headers['service-time'])
  const { environment } = headers
  return {
    time: Number.isNaN(time.now) ? undefined : time,
    environment: environment === 'sandbox' || environment === 'live' ? environment : undefined,
  }
}

/** Parses `Service-Time: <instant>;mode=running|frozen`. */
export function parseServiceTime(header: string | undefined): ServiceTime {
  const [instant = '', mode = ''] = (header ?? '').split(';')
  return { now: Date.parse(instant), frozen: mode.trim() === 'mode=frozen' }
}
