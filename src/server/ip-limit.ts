/** How often one address may try: where there is no account yet to count by. */
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { networkOf } from '../core/network.ts'

export type IpLimit = {
  /** Counts one try; gives the seconds to wait when it is one too many. */
  take(address: string): Promise<number | undefined>
  /** The seconds to wait when there were too many already; counts nothing. */
  look(address: string): Promise<number | undefined>
  /** How many tries are left. */
  left(address: string): Promise<number>
  /** What was counted was none of those that are limited. */
  giveBack(address: string): Promise<void>
}

/** Networks that are remembered at once, about 10 MB of them. Somebody with more makes the oldest forgotten. */
const MAX_NETWORKS = 20_000

/** So many tries in a window of so many seconds, kept in this process. */
export function makeIpLimit(
  { points, seconds }: { points: number; seconds: number },
  maxNetworks = MAX_NETWORKS,
): IpLimit {
  const limiter = new RateLimiterMemory({ points, duration: seconds })
  // The library has no bound of its own. The order is that of the last try.
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
