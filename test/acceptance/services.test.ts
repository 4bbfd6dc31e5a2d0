/** Home services from open starts to completed work, and every way in which they fail. */
import { describe, expect } from 'vitest'
import type { PrintedFailure } from '../support/answers.ts'
import { type AcceptanceContext, acceptanceTest } from '../support/story.ts'

type Booking = {
  booking_id: string
  status: string
  slot: { starts_at: string } | null
  payment: { status: string }
  refund: { status: string; amount: { amount: number } } | null
  completion: { summary: string; media: { sha256: string }[] } | null
  status_history: { status: string }[]
}

const JOB = '"Bright Corner" --service regular_clean --to shoreditch --name "Ana Reid"'
const AGREED = '--yes --max-total 40.00 --json'

async function book(told: AcceptanceContext, more: string): Promise<Booking> {
  return (await told.dray(`services book ${JOB} ${more} ${AGREED}`)).json<Booking>()
}

const show = async (told: AcceptanceContext): Promise<Booking> =>
  (await told.dray('services show --json')).json<Booking>()
const path = ({ status_history }: Booking): string[] => status_history.map(({ status }) => status)

describe('a customer of a home service', () => {
  acceptanceTest('finds a provider, picks a start, books it and follows it to the end', async (told) => {
    const found = await told.dray('services providers --near shoreditch --category cleaning --json')
    const [first] = found.json<{ data: { provider_id: string; name: string }[] }>().data
    expect(first?.name).toBe('Bright Corner Cleaning')
    const slots = await told.dray(
      `services slots ${first?.provider_id} --service regular_clean --date tomorrow --days 1 --json`,
    )
    const { data } = slots.json<{ data: { starts_at: string }[] }>()
    expect(data[0]?.starts_at).toBe('2026-11-21T08:00:00.000Z')
    const quote = await told.dray(
      `services quote ${first?.provider_id} --service regular_clean --to shoreditch --at ${data[2]?.starts_at} --json`,
    )
    const { quote_id, total } = quote.json<{ quote_id: string; total: { amount: number } }>()
    expect(total.amount).toBe(3600)
    const booked = await told.dray(`services book --quote-id ${quote_id} --name "Ana Reid" --yes --json`)
    expect(booked.json<Booking>()).toMatchObject({
      status: 'confirmed',
      slot: { starts_at: '2026-11-21T09:00:00.000Z' },
      payment: { status: 'paid' },
    })
    // The clock is frozen, so waiting would never end.
    await told.dray('services track', { exit: 8 })
    await told.advance('23h45m')
    expect((await told.dray('services show')).stdout).toContain('en_route')
    await told.advance('6h')
    const tracked = await told.dray('services track --output ndjson')
    expect(tracked.lines<{ status: string }>().map(({ status }) => status)).toEqual([
      'confirmed',
      'en_route',
      'arrived',
      'in_progress',
      'completed',
    ])
    const done = await show(told)
    expect(done.completion?.summary).toContain('Regular clean by Bright Corner Cleaning')
    expect(done.completion?.media[0]?.sha256).toMatch(/^[0-9a-f]{64}$/)
  })

  acceptanceTest('a customer who loses a start pays nothing, and books another one', async (told) => {
    await book(told, '--at "tomorrow 09:00"')
    const lost = await told.dray(`services book ${JOB} --at "tomorrow 10:00" ${AGREED}`, { exit: 7 })
    const refusal = lost.json<PrintedFailure>()
    expect(refusal).toMatchObject({ code: 'slot_unavailable', exit_code: 7 })
    const { alternatives } = refusal as unknown as { alternatives: string[] }
    expect(alternatives).toEqual([
      '2026-11-21T11:30:00.000Z',
      '2026-11-21T12:00:00.000Z',
      '2026-11-21T12:30:00.000Z',
    ])
    expect((await book(told, `--at ${alternatives[0]}`)).status).toBe('confirmed')
  })

  acceptanceTest('a request without a start gets one within its window', async (told) => {
    const asked = await book(told, '--window "tomorrow 12:00/tomorrow 17:00"')
    expect(asked).toMatchObject({ status: 'requested', slot: null })
    await told.advance('10m')
    expect(await show(told)).toMatchObject({
      status: 'confirmed',
      slot: { starts_at: '2026-11-21T12:00:00.000Z' },
    })
  })

  acceptanceTest('is paid back when the provider cancels, and the start is open again', async (told) => {
    await book(told, '--at "tomorrow 09:00" --scenario provider_cancels')
    const open = async (): Promise<string> =>
      (await told.dray('services slots "Bright Corner" --duration 60 --date tomorrow --days 1')).stdout
    expect(await open()).not.toContain('2026-11-21T09:00')
    await told.advance('15m')
    const off = await show(told)
    expect(path(off)).toEqual(['confirmed', 'cancelled'])
    expect(off).toMatchObject({ payment: { status: 'refunded' }, refund: { amount: { amount: 3600 } } })
    expect(await open()).toContain('2026-11-21T09:00')
    await told.dray('services track')
  })

  acceptanceTest('a customer who is not at home is charged in full', async (told) => {
    await book(told, '--at "tomorrow 09:00" --scenario customer_no_show')
    await told.advance('25h')
    const missed = await show(told)
    expect(path(missed)).toEqual(['confirmed', 'en_route', 'arrived', 'no_show'])
    expect(missed).toMatchObject({ payment: { status: 'paid' }, refund: null })
  })
})
