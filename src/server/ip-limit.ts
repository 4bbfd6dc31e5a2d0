/**
 * Limits the attempts of one address, where no account is known yet. The processes of a cluster count together: an address reaches
 * another one with each connection.
 */
import cluster from 'node:cluster'
import { RateLimiterCluster, RateLimiterMemory } from 'rate-limiter-flexible'
import { networkOf } from '../core/network.ts'

export type IpLimit = {
  /** Counts one attempt. Returns the seconds to wait when it is over the limit. */
  take(address: string): Promise<number | undefined>
  /** Returns the seconds to wait when the limit is already exceeded; counts nothing. */
  look(address: string): Promise<number | undefined>
  /** Returns the number of attempts left. */
  left(address: string): Promise<number>
  /** Takes back one attempt, because it does not count. */
  giveBack(address: string): Promise<void>
}

/** The most remembered networks, about 10 MB. An attacker with more networks only evicts the oldest. */
const MAX_NETWORKS = 20_000

/** The longest wait for the process that counts, in milliseconds: then this one counts alone. */
const SHARED_TIMEOUT_MS = 1000

/** A limit: its name, which no other one has, and the attempts in a window. */
export type IpLimitOptions = { name: string; points: number; seconds: number }

type Limiter = RateLimiterMemory | RateLimiterCluster

/** Allows `points` attempts in a window of `seconds`, counted by the first process of a cluster, or in this process. */
export function makeIpLimit({ name, points, seconds }: IpLimitOptions, maxNetworks = MAX_NETWORKS): IpLimit {
  const options = { keyPrefix: `address ${name}`, points, duration: seconds }
  const own = new RateLimiterMemory(options)
  const shared = cluster.isWorker
    ? new RateLimiterCluster({ ...options, timeoutMs: SHARED_TIMEOUT_MS })
    : undefined
  const ask = async <T>(question: (limiter: Limiter) => Promise<T>): Promise<T> =>
    shared === undefined ? question(own) : question(shared).catch(() => question(own))
  // The library itself has no bound. The set is ordered by last attempt.
  const networks = new Set<string>()

  async function remember(network: string): Promise<void> {
    networks.delete(network)
    networks.add(network)
    const [oldest = ''] = networks
    if (networks.size <= maxNetworks) return
    networks.delete(oldest)
    await ask((limiter) => limiter.delete(oldest))
  }

  return {
    async take(address) {
      const network = networkOf(address)
      await remember(network)
      const { consumedPoints, msBeforeNext } = await ask((limiter) => limiter.penalty(network))
      return consumedPoints > points ? toSeconds(msBeforeNext) : undefined
    },
    async look(address) {
      const found = await ask((limiter) => limiter.get(networkOf(address)))
      if (found === null || found.msBeforeNext <= 0 || found.consumedPoints < points) return undefined
      return toSeconds(found.msBeforeNext)
    },
    async left(address) {
      const found = await ask((limiter) => limiter.get(networkOf(address)))
      return Math.max(0, points - (found?.consumedPoints ?? 0))
    },
    async giveBack(address) {
      await ask((limiter) => limiter.reward(networkOf(address)))
    },
  }
}

function toSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}
