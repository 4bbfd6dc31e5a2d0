/** Limits the attempts of one address, where no account is known yet. */
import { RateLimiterMemory } from 'rate-limiter-flexible'
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

/** Allows `points` attempts in a window of `seconds`, counted in this process. */
export function makeIpLimit(
  { points, seconds }: { points: number; seconds: number },
  maxNetworks = MAX_NETWORKS,
): IpLimit {
  const limiter = new RateLimiterMemory({ points, duration: seconds })
  // The library itself has no bound. The set is ordered by last attempt.
  const networks = new Set<string>()

  async function remember(network: string): Promise<void> {
    networks.delete(network)
    networks.add(network)
    const [oldest = ''] = networks
    if (networks.size <= maxNetworks) return
    networks.delete(oldest)
    await limiter.delete(oldest)
  }

  return {
    async take(address) {
      const network = networkOf(address)
      await remember(network)
      const { consumedPoints, msBeforeNext } = await limiter.penalty(network)
      return consumedPoints > points ? toSeconds(msBeforeNext) : undefined
    },
    async look(address) {
      const found = await limiter.get(networkOf(address))
      if (found === null || found.msBeforeNext <= 0 || found.consumedPoints < points) return undefined
      return toSeconds(found.msBeforeNext)
    },
    async left(address) {
      const found = await limiter.get(networkOf(address))
      return Math.max(0, points - (found?.consumedPoints ?? 0))
    },
    async giveBack(address) {
      await limiter.reward(networkOf(address))
    },
  }
}

function toSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}
