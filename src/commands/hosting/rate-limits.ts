/** The limits of requests per account: `--rate-limit` and `--spend-limit`, for every command that serves. */
import type { Flag, FlagValues } from '../../cli/command.ts'
import { AppError } from '../../core/errors.ts'
import type { Limit, AccountLimits } from '../../gateway/rate-limit.ts'

const SECONDS = 60
/** The default limits (docs/rules/requests.md#rate-limits-count-by-account). */
const USUAL = {
  rate: { requests: 300, seconds: SECONDS },
  spend: { requests: 30, seconds: SECONDS },
} as const
const MAX_RATE_REQUESTS = 1_000_000
const MAX_RATE_SECONDS = 86_400

export const LIMIT_FLAGS = [
  {
    flag: 'rate-limit',
    kind: 'text',
    value: 'N[/SECONDS]',
    description:
      'requests per account in 60 seconds, or in the given number of seconds; `default`: 300, and 30 that spend',
  },
  {
    flag: 'spend-limit',
    kind: 'text',
    value: 'N[/SECONDS]',
    description:
      'requests per account that spend: orders, rides, deliveries, bookings and tasks. Default: no limit',
  },
] as const satisfies readonly Flag[]

/** Returns the limits that the flags set; undefined without the flags. Throws `usage`. */
export function readLimits(args: FlagValues<typeof LIMIT_FLAGS>): AccountLimits | undefined {
  const [rate, spend] = [args['rate-limit'], args['spend-limit']]
  if (rate === undefined && spend === undefined) return undefined
  const usual = rate === 'default'
  return {
    rate: usual ? USUAL.rate : readLimit('--rate-limit', rate),
    spend: spend === undefined && usual ? USUAL.spend : readLimit('--spend-limit', spend),
  }
}

function readLimit(name: string, text: string | undefined): Limit | undefined {
  if (text === undefined) return undefined
  const [, requests, seconds = String(SECONDS)] = /^(\d{1,7})(?:\/(\d{1,5}))?$/.exec(text) ?? []
  const limit = { requests: Number(requests), seconds: Number(seconds) }
  const fits = (value: number, largest: number): boolean => value >= 1 && value <= largest
  if (fits(limit.requests, MAX_RATE_REQUESTS) && fits(limit.seconds, MAX_RATE_SECONDS)) return limit
  throw new AppError(
    'usage',
    `${name} must be a number of requests, optionally per number of seconds, such as 300/60.`,
    {
      hint: `1 to ${MAX_RATE_REQUESTS} requests in 1 to ${MAX_RATE_SECONDS} seconds; default: 60 seconds.`,
    },
  )
}
