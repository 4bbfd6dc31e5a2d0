/** Injected faults: how a call of the sandbox goes wrong, and which calls. */
import { seededInt } from './hash.ts'

/** The statuses that a fault can give: those of a broken service, and of a proxy before it. */
export const FAULT_STATUSES = [500, 502, 503, 504] as const

/**
 * Faults of a call. With `status` and `rate_limit` nothing is done: 502 and 504 are those of a proxy, with a page in place of a
 * problem. With `lost` the call is carried out, and its answer is cut: before its first byte, within its headers or its body.
 */
export type FaultSpec = {
  status?: (typeof FAULT_STATUSES)[number]
  rate_limit?: true
  /** Milliseconds by which the call waits before it is carried out, and by how many they vary. */
  latency?: { ms: number; spread: number }
  /** No payment is taken: cards and wallets are declined. */
  payments?: 'declined'
  lost?: 'whole' | 'headers' | 'body'
}

/** A fault that stays: on the calls of one operation, or on all. `seen` and `hits` count the calls that it could hit, and did. */
export type Fault = {
  fault_id: number
  operation: string | null
  /** As the header `Sandbox-Fault` has it. */
  effect: string
  /** The share of calls that it hits, in millionths. */
  rate: number
  /** The most calls that it hits. */
  times: number | null
  seen: number
  hits: number
}

/** The longest wait in all, in milliseconds: a call has 30 s. */
export const MAX_LATENCY_MS = 20_000
export const LATENCY_PATTERN = String.raw`^\d{1,5}(ms|s)((±|\+-)\d{1,5}(ms|s))?$`
export const FAULT_WORDS = `after_commit, rate_limit, payments=declined, cut=headers, cut=body, latency=300ms±100ms, status=${FAULT_STATUSES.join('|')}`
const WHOLE = 1_000_000

/** Reads an effect, such as `status=503`; undefined for a text that names none. */
export function parseFaultSpec(text: string): FaultSpec | undefined {
  const [name = '', value = '', more] = text.split('=')
  if (more !== undefined) return undefined
  switch (text.includes('=') ? `${name}=` : name) {
    case 'after_commit':
      return { lost: 'whole' }
    case 'rate_limit':
      return { rate_limit: true }
    case 'payments=':
      return value === 'declined' ? { payments: value } : undefined
    case 'cut=':
      return value === 'headers' || value === 'body' ? { lost: value } : undefined
    case 'status=': {
      const status = FAULT_STATUSES.find((each) => String(each) === value)
      return status && { status }
    }
    case 'latency=':
      return readLatency(value)
    default:
      return undefined
  }
}

function readLatency(text: string): FaultSpec | undefined {
  if (!new RegExp(LATENCY_PATTERN, 'u').test(text)) return undefined
  const [ms = 0, spread = 0] = text
    .split(/±|\+-/)
    .map((part) => Number.parseInt(part, 10) * (part.endsWith('ms') ? 1 : 1000))
  return spread <= ms && ms + spread <= MAX_LATENCY_MS ? { latency: { ms, spread } } : undefined
}

/** Returns a share of calls in millionths; undefined for one that is no share. */
export function readRate(rate: number): number | undefined {
  const millionths = Math.round(rate * WHOLE)
  return rate > 0 && rate <= 1 && millionths > 0 ? millionths : undefined
}

export function rateOf({ rate }: Pick<Fault, 'rate'>): number {
  return rate / WHOLE
}

/** The faults that hit one call. `waitMs` is drawn from its latency; with `page` the page of a proxy takes the place of its response. */
export type SampledFaults = Omit<FaultSpec, 'latency' | 'lost'> & {
  waitMs: number
  lost?: FaultSpec['lost'] | 'page'
}

/**
 * Draws which of the faults that concern a call hit it, from the seed and the number of calls that each fault has seen: the same calls in
 * the same order meet the same faults. Returns what they do together, and the faults with their new counts.
 */
export function sampleFaults(
  seed: string,
  faults: readonly Fault[],
  concerns: (fault: Fault) => boolean,
): { drawn: SampledFaults; faults: Fault[] } {
  let drawn: SampledFaults = { waitMs: 0 }
  const counted = faults.map((fault) => {
    if (!concerns(fault)) return fault
    const { fault_id, rate, effect, hits } = fault
    const seen = fault.seen + 1
    if (seededInt(WHOLE, seed, ['fault', fault_id, seen, 'hits']) >= rate) return { ...fault, seen }
    // The earlier one of two of a kind counts; waits add up.
    const own = sampleFaultSpec(effect, seed, [fault_id, seen])
    drawn = { ...own, ...drawn, waitMs: Math.min(drawn.waitMs + own.waitMs, MAX_LATENCY_MS) }
    return { ...fault, seen, hits: hits + 1 }
  })
  return { drawn, faults: counted }
}

/** Draws what one fault does to a call. Throws for a text that is no effect. */
export function sampleFaultSpec(
  text: string,
  seed: string,
  [fault_id, seen]: readonly [number, number],
): SampledFaults {
  const effect = parseFaultSpec(text)
  if (effect === undefined) throw new Error(`${text} is no fault`)
  const { latency: { ms, spread } = { ms: 0, spread: 0 }, ...rest } = effect
  const varied = seededInt(2 * spread + 1, seed, ['fault', fault_id, seen, 'latency'])
  return { ...rest, waitMs: ms - spread + varied }
}
