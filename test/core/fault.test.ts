/** Injected faults, and what several of them do together to one call. */
import { expect, test } from 'vitest'
import {
  type Fault,
  FAULT_STATUSES,
  MAX_LATENCY_MS,
  parseFaultSpec,
  readRate,
  sampleFaults,
  sampleFaultSpec,
} from '../../src/core/fault.ts'

function makeFaults(...effects: string[]): Fault[] {
  return effects.map((effect, at) => ({
    fault_id: at + 1,
    operation: null,
    effect,
    rate: 1_000_000,
    times: null,
    seen: 0,
    hits: 0,
  }))
}

const sample = (...effects: string[]) => sampleFaults('7', makeFaults(...effects), () => true).drawn

test('of two faults of a kind on one call the earlier one counts, and their waits add up', () => {
  expect(sample('status=503', 'status=500')).toEqual({ status: 503, waitMs: 0 })
  expect(sample('status=500', 'status=503')).toEqual({ status: 500, waitMs: 0 })
  expect(sample('cut=headers', 'after_commit')).toEqual({ lost: 'headers', waitMs: 0 })
  expect(sample('latency=300ms', 'latency=2s')).toEqual({ waitMs: 2300 })
})

test('two faults of different kinds both hit a call', () => {
  expect(sample('latency=300ms', 'status=502')).toEqual({ status: 502, waitMs: 300 })
  expect(sample('payments=declined', 'cut=body')).toEqual({ payments: 'declined', lost: 'body', waitMs: 0 })
})

test('a call waits for 20 s in all at most', () => {
  expect(sample('latency=12s', 'latency=8s').waitMs).toBe(MAX_LATENCY_MS)
  expect(sample('latency=12s', 'latency=9s').waitMs).toBe(MAX_LATENCY_MS)
  expect(parseFaultSpec('latency=20s')).toEqual({ latency: { ms: 20_000, spread: 0 } })
  expect(parseFaultSpec('latency=15s±5s')).toEqual({ latency: { ms: 15_000, spread: 5000 } })
  expect(parseFaultSpec('latency=20001ms')).toBeUndefined()
  expect(parseFaultSpec('latency=15s±5001ms')).toBeUndefined()
  expect(parseFaultSpec('latency=300ms±300ms')).toEqual({ latency: { ms: 300, spread: 300 } })
  expect(parseFaultSpec('latency=300ms+-301ms')).toBeUndefined()
})

test('a wait varies by its spread, to both sides and no further', () => {
  const waits = Array.from(
    { length: 60 },
    (_, seen) => sampleFaultSpec('latency=3ms±1ms', '7', [1, seen]).waitMs,
  )
  expect([...new Set(waits)].toSorted((one, other) => one - other)).toEqual([2, 3, 4])
})

test('a fault counts the calls that it could hit, and those that it did; another one stays as it is', () => {
  const [first, second] = makeFaults('status=503', 'cut=body') as [Fault, Fault]
  const { drawn, faults } = sampleFaults('7', [first, second], ({ fault_id }) => fault_id === 2)
  expect(drawn).toEqual({ lost: 'body', waitMs: 0 })
  expect(faults).toEqual([first, { ...second, seen: 1, hits: 1 }])
  const rare = { ...first, rate: 1 }
  expect(sampleFaults('7', [rare], () => true).faults).toEqual([{ ...rare, seen: 1, hits: 0 }])
})

test('a share of calls is above nothing and at most all, in millionths', () => {
  expect([1, 0.2, 0.000001].map(readRate)).toEqual([1_000_000, 200_000, 1])
  expect([0, -0.1, 1.000001, 0.0000001].map(readRate)).toEqual([undefined, undefined, undefined, undefined])
})

test('each status of a broken service and of a proxy can be ordered, and no other', () => {
  expect(FAULT_STATUSES).toEqual([500, 502, 503, 504])
  for (const status of FAULT_STATUSES) expect(parseFaultSpec(`status=${status}`)).toEqual({ status })
  for (const text of ['status=501', 'status=505', 'status=0500', 'status=', 'status'])
    expect(parseFaultSpec(text)).toBeUndefined()
})
