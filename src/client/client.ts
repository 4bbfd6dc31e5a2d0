/** The only way from the command line and the tools to the service. Nothing above it can tell which transport it has. */
import type { Limits } from '../gateway/rate-limit.ts'
import type { AnswerOf, InputOf } from './operations.ts'

export type CallOptions = {
  /** For calls that are not reads. One is made when absent, so that a retry after a lost answer does nothing twice. */
  idempotencyKey?: string
  /** `Sandbox-Scenario`. */
  scenario?: string
  /** Another sandbox account than the target's, by id or handle. */
  as?: string
  /** A token of the embedded service that calls instead of the target's account, with the scopes it has. */
  token?: string
  signal?: AbortSignal
}

/** Who calls are made as. Undefined is what a service does not tell. */
export type Identity = {
  accountId: string | undefined
  /** The short name. */
  account: string | undefined
  scopes: readonly string[] | undefined
}

export type CallResult<A = unknown> = {
  value: A
  status: number
  /** True when the service gave the answer of an earlier call with the same key. */
  replayed: boolean
  requestId: string
  /** The service's clock at the call. */
  serviceTime: ServiceTime
}

export type ServiceTime = { now: number; frozen: boolean }

/** What a service says of itself beside each answer. Undefined is what it does not say. */
export type ServiceFacts = { time: ServiceTime | undefined; environment: 'sandbox' | 'live' | undefined }

export type Client = {
  /** Carries out an operation. Throws AppError for every failure, of the service or of the way to it. */
  call: <N extends string>(
    operation: N,
    input: InputOf<N>,
    options?: CallOptions,
  ) => Promise<CallResult<AnswerOf<N>>>
  /** The service's clock now; within `limitMs`, where that is less than usual. Throws AppError. */
  serviceTime(limitMs?: number): Promise<ServiceTime>
  /** What the service said of itself with its last answer, success or failure: a new object each time. */
  heard(): ServiceFacts | undefined
  /** Whose the credential is and what it may do; of a token of the embedded service where one is given. Throws AppError. */
  whoAmI(token?: string): Promise<Identity>
  /** A call of the sandbox's control plane. Throws AppError. */
  control(name: string, input: Readonly<Record<string, unknown>>): Promise<unknown>
  /** Hands on the whole sandbox as it is at one instant, piece by piece. Throws AppError. */
  saveSnapshot(keep: (chunk: Uint8Array) => void): Promise<void>
  /** Puts a saved sandbox in the place of the one there is, all of it or nothing. Throws AppError. */
  loadSnapshot(open: () => AsyncIterable<Uint8Array>): Promise<unknown>
  /** The bytes of a proof or evidence picture; with a token of the embedded service, of its account. */
  media(mediaId: string, token?: string): Promise<{ contentType: string; bytes: Uint8Array }>
  close(): Promise<void>
}

/** A call by any name with any input, as transports carry it and as what is only known at run time is called. */
export type AnyCall = (
  operation: string,
  input: Readonly<Record<string, unknown>>,
  options?: CallOptions,
) => Promise<CallResult>

/** The same with the types of each operation. What comes back was held against the schema that gives its type. */
export function typed(call: AnyCall): Client['call'] {
  return call as Client['call']
}

/** Where calls go. */
export type Target =
  | {
      kind: 'embedded'
      /** A path, or postgres://… */ store: string
      /** Account id or handle. */ account: string
      /** The address of a server that speaks OSRM's protocol; the formula without it. */
      osrm?: string | undefined
      /** A customer may have one ride at a time only. */
      oneActiveRide?: boolean
      /** How much an account may ask for; without them as much as it likes. */
      limits?: Limits | undefined
      /** How calls come, for the log; of this program itself without it. */
      transport?: 'mcp' | undefined
    }
  | {
      kind: 'remote'
      baseUrl: string
      token: string | undefined
      controlToken: string | undefined
      timeoutMs: number | undefined
      /** Another sandbox account than the token's, id or handle: a token for it is minted with the control token. */
      account?: string
      /** The profile whose login this is, and the account it was for when the command began. */
      login?: { profile: string; account: string | undefined }
    }

/** The same client, calling as the holder of a token of the embedded service. */
export function withToken(client: Client, token: string): Client {
  return {
    ...client,
    call: (operation, input, options) => client.call(operation, input, { ...options, token }),
    whoAmI: () => client.whoAmI(token),
    media: (mediaId) => client.media(mediaId, token),
  }
}

/** Reads `Service-Time` and `Environment` out of headers by their names in lower case; what is none of ours is nothing. */
export function readFacts(headers: Readonly<Record<string, string | undefined>>): ServiceFacts {
  const time = parseServiceTime(headers['service-time'])
  const { environment } = headers
  return {
    time: Number.isNaN(time.now) ? undefined : time,
    environment: environment === 'sandbox' || environment === 'live' ? environment : undefined,
  }
}

/** Reads `Service-Time: <instant>;mode=running|frozen`. */
export function parseServiceTime(header: string | undefined): ServiceTime {
  const [instant = '', mode = ''] = (header ?? '').split(';')
  return { now: Date.parse(instant), frozen: mode.trim() === 'mode=frozen' }
}
