/** A quote of any kind: who may confirm it, until when, and how long it is remembered. */
import { describe, expect, test } from 'vitest'
import { loadAccount } from '../../../src/areas/account/queries/accounts.ts'
import { assertExpectedTotal, saveQuote, lockOpenQuote } from '../../../src/areas/quotes/lifecycle.ts'
import { markQuoteUsed } from '../../../src/areas/quotes/queries.ts'
import { serializeQuote } from '../../../src/areas/quotes/views.ts'
import { type QuoteKind, RESOURCES } from '../../../src/areas/resources.ts'
import type { Resource } from '../../../src/core/resource.ts'
import { catchError } from '../../support/caught.ts'
import { gbp } from '../../support/money.ts'
import { openTestSandbox } from '../../support/world.ts'

const DAY = 86_400_000

/** Each kind, with the operation that quotes it, the field that names what was made of it, and its life. */
const KINDS = Object.values<Resource>(RESOURCES).flatMap(({ held, quote, id }) =>
  held === undefined ? [] : [{ kind: held.kind as QuoteKind, quote, id, life: held.ms }],
)

async function start() {
  const world = await openTestSandbox()
  const idOf = async (handle: string) => (await world.db.read((tx) => loadAccount(tx, handle))).account_id
  const [owner, other] = [await idOf('everything'), await idOf('member')]
  return {
    owner,
    other,
    make: (kind: QuoteKind, after = 0, account = owner) =>
      world.write((tx, stored, now) =>
        saveQuote({ tx, world: stored.world, at: now + after }, account, kind, { kind }),
      ),
    take: (kind: QuoteKind, quoteId: string, after = 0, account = owner) =>
      world.write((tx, _stored, now) => lockOpenQuote({ tx, at: now + after }, account, kind, quoteId)),
    use: (quoteId: string) => world.write((tx) => markQuoteUsed(tx, quoteId, 'made_1')),
    list: async () => {
      const rows = await world.db.read((tx) => tx.all('select quote_id from quotes order by quote_id'))
      return rows.map((row) => row['quote_id'])
    },
  }
}

describe.each(KINDS)('a quote of $kind', ({ kind, quote, id, life }) => {
  test('is confirmed by its account, as its kind, until it ends to the millisecond', async () => {
    const { make, take, other } = await start()
    const made = await make(kind)
    expect(made.expires_at - made.created_at).toBe(life)
    expect(await take(kind, made.quote_id, life - 1)).toEqual(made)
    await expect(take(kind, made.quote_id, life)).rejects.toMatchObject({
      code: 'quote_expired',
      message: `${made.quote_id} expired at ${new Date(made.expires_at).toISOString()}.`,
      hint: `Call ${quote} again and show the new price.`,
      extra: { quote_operation: quote },
    })
    await expect(take(kind, made.quote_id, 0, other)).rejects.toMatchObject({
      code: 'quote_not_found',
      message: `Quote ${made.quote_id} not found.`,
      hint: `Get a quote with ${quote} and use its quote_id.`,
    })
    const [another] = KINDS.filter((each) => each.kind !== kind)
    if (another === undefined) throw new Error('there is one kind alone')
    await expect(take(another.kind, made.quote_id)).rejects.toMatchObject({
      code: 'quote_mismatch',
      message: `${made.quote_id} is a quote of ${quote}, not of ${another.quote}.`,
    })
  })

  test('is used once, and then says what was made of it, also after its end', async () => {
    const { make, take, use } = await start()
    const { quote_id } = await make(kind)
    await use(quote_id)
    for (const after of [0, life])
      await expect(take(kind, quote_id, after)).rejects.toMatchObject({
        code: 'quote_already_used',
        message: 'This quote was already used for made_1.',
        hint: `See made_1. To buy again, get a new quote with ${quote}.`,
        extra: { [id]: 'made_1' },
      })
  })
})

test('an unknown quote is not found, and its name is cut', async () => {
  const { take } = await start()
  await expect(take('ride', 'q'.repeat(100))).rejects.toMatchObject({
    code: 'quote_not_found',
    message: `Quote ${'q'.repeat(60)} not found.`,
  })
})

test('a quote is deleted a day after its end, when its account requests another one; a used one stays', async () => {
  const { make, use, list, other } = await start()
  const [{ life } = { life: 0 }] = KINDS.filter(({ kind }) => kind === 'ride')
  const [old, used, elsewhere] = [await make('ride'), await make('ride'), await make('ride', 0, other)]
  await use(used.quote_id)
  await make('ride', life + DAY)
  expect(await list()).toContain(old.quote_id)
  await make('ride', life + DAY + 1)
  expect(await list()).not.toContain(old.quote_id)
  expect(await list()).toEqual(expect.arrayContaining([used.quote_id, elsewhere.quote_id]))
})

test('a confirm names the quoted total or none: another amount or currency is rejected', () => {
  expect(assertExpectedTotal(gbp(1200), undefined)).toBeUndefined()
  expect(assertExpectedTotal(gbp(1200), gbp(1200))).toBeUndefined()
  for (const expected of [gbp(1199), { amount: 1200, currency: 'EUR' }])
    expect(catchError(() => assertExpectedTotal(gbp(1200), expected))).toMatchObject({
      code: 'quote_mismatch',
      message: 'The quoted total is £12.00, not the expected total.',
      hint: 'Show the quoted price and send it as expected_total.',
      extra: { total: gbp(1200) },
    })
})

test('a kind that nothing is made of is a fault of the program', async () => {
  const { make } = await start()
  await expect(make('nothing' as QuoteKind)).rejects.toThrow('no resource is quoted as nothing')
})

test('a new quote is open, with its seconds left', () => {
  const created_at = Date.parse('2026-11-20T09:00:00.000Z')
  expect(serializeQuote('ride', { quote_id: 'quo_1', created_at, expires_at: created_at + 150_000 })).toEqual(
    {
      quote_id: 'quo_1',
      kind: 'ride',
      status: 'open',
      created_at: '2026-11-20T09:00:00.000Z',
      expires_at: '2026-11-20T09:02:30.000Z',
      expires_in_seconds: 150,
    },
  )
})
