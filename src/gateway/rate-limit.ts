/** Limits the requests of one account in a period, over all transports together. Loaded only where a limit is set. */
import {
  RateLimiterCluster,
  RateLimiterClusterMaster,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import type { Db } from '../core/db.ts'

export type Limit = { requests: number; seconds: number }

/** The limits of one account: on all requests, and on requests that create a transaction. */
export type AccountLimits = { rate?: Limit | undefined; spend?: Limit | undefined }

/**
 * The share that is left, as a `RateLimit` header; and for a request over the limit, the error's detail and the
 * seconds to wait.
 */
export type Allowance = { remaining: string; over?: { detail: string; wait: number } }

export type RateLimiter = {
  /** Returns the `RateLimit-Policy` header of an operation; undefined where no limit applies. */
  policy(spends: boolean): string | undefined
  /** Counts one request of an account. Never throws: if the shared counter fails, this process counts alone. */
  take(accountId: string, spends: boolean): Promise<Allowance>
}

export type LimiterDeps = {
  /** Queries the database that several services share, so that they count together. */
  query?: Db['query']
  /** True if this is one of several processes; the first one counts for all. */
  worker?: boolean
  /** Called with the error of the shared counter. */
  onError(error: unknown): void
}

type Counter = { kind: keyof AccountLimits; limit: Limit; take(accountId: string): Promise<LimiterResult> }
type LimiterResult = Pick<RateLimiterRes, 'remainingPoints' | 'msBeforeNext'> & { over: boolean }

const NAMES = { rate: 'default', spend: 'spend' } as const
const THINGS = { rate: 'requests', spend: 'transactions' } as const
/** The longest wait for the counting process, in milliseconds. */
const SHARED_TIMEOUT_MS = 1000

/** Makes a limiter that counts in the shared database or process, if there is one, else in this process. */
export function makeLimiter(limits: AccountLimits, deps: LimiterDeps): RateLimiter {
  const counters = (['rate', 'spend'] as const).flatMap((kind): Counter[] => {
    const limit = limits[kind]
    return limit === undefined ? [] : [{ kind, limit, take: makeCounter(kind, limit, deps) }]
  })
  const concerned = (spends: boolean): Counter[] => counters.filter(({ kind }) => spends || kind !== 'spend')
  return {
    policy(spends) {
      const items = concerned(spends).map(
        ({ kind, limit }) => `"${NAMES[kind]}";q=${limit.requests};w=${limit.seconds}`,
      )
      return items.length === 0 ? undefined : items.join(', ')
    },
    async take(accountId, spends) {
      const items: string[] = []
      for (const { kind, limit, take } of concerned(spends)) {
        const { remainingPoints, msBeforeNext, over } = await take(accountId)
        const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000))
        items.push(`"${NAMES[kind]}";r=${remainingPoints};t=${seconds}`)
        // A request that is rejected here does not count against the next limit.
        if (over) {
          const detail = `This account has reached its limit of ${THINGS[kind]}: ${limit.requests} in ${limit.seconds} s.`
          return { remaining: items.join(', '), over: { detail, wait: seconds } }
        }
      }
      return { remaining: items.join(', ') }
    },
  }
}

/** Counts for all of several processes; called in the first one. */
export function countForWorkers(): void {
  new RateLimiterClusterMaster()
}

function makeCounter(kind: keyof AccountLimits, limit: Limit, deps: LimiterDeps): Counter['take'] {
  const options = { keyPrefix: kind, points: limit.requests, duration: limit.seconds }
  const own = new RateLimiterMemory(options)
  const shared = makeShared(options, deps)
  const takeFrom = async (
    limiter: typeof own | NonNullable<typeof shared>,
    key: string,
  ): Promise<LimiterResult> => {
    try {
      const { remainingPoints, msBeforeNext } = await limiter.consume(key)
      return { remainingPoints, msBeforeNext, over: false }
    } catch (error) {
      if (error instanceof RateLimiterRes)
        return { remainingPoints: 0, msBeforeNext: error.msBeforeNext, over: true }
      throw error
    }
  }
  return async (accountId) => {
    if (shared === undefined) return takeFrom(own, accountId)
    try {
      return await takeFrom(shared, accountId)
    } catch (error) {
      deps.onError(error)
      return takeFrom(own, accountId)
    }
  }
}

function makeShared(
  options: { keyPrefix: string; points: number; duration: number },
  { query, worker = false }: LimiterDeps,
): RateLimiterPostgres | RateLimiterCluster | undefined {
  if (query !== undefined) {
    return new RateLimiterPostgres({
      ...options,
      storeClient: { query },
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      // Requests over the limit do not query the database again.
      inMemoryBlockOnConsumed: options.points,
    })
  }
  return worker ? new RateLimiterCluster({ ...options, timeoutMs: SHARED_TIMEOUT_MS }) : undefined
}
