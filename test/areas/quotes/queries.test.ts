/** Quotes as they are kept: until they are used, or forgotten. */
import { expect, test } from 'vitest'
import { loadAccount } from '../../../src/areas/account/queries/accounts.ts'
import {
  insertQuote,
  lockQuote,
  purgeQuotes,
  type QuoteRecord,
  markQuoteUsed,
} from '../../../src/areas/quotes/queries.ts'
import { openTestSandbox } from '../../support/world.ts'

test('a quote is read as it was written, and names what used it', async () => {
  const world = await openTestSandbox()
  const { account_id } = await world.db.read((tx) => loadAccount(tx, 'member'))
  const quote: QuoteRecord<unknown> = {
    quote_id: 'quo_1',
    account_id,
    kind: 'ride',
    created_at: 1,
    expires_at: 2,
    used_by: null,
    doc: { total: 1200, stops: ['a', null] },
  }
  const found = () => world.write((tx) => lockQuote(tx, 'quo_1'))
  expect(await found()).toBeUndefined()
  await world.write((tx) => insertQuote(tx, quote))
  expect(await found()).toEqual(quote)
  await world.write((tx) => markQuoteUsed(tx, 'quo_1', 'rid_1'))
  expect(await found()).toEqual({ ...quote, used_by: 'rid_1' })
})

test('the quotes of an account that expired unused are forgotten, to the millisecond, and no others', async () => {
  const world = await openTestSandbox()
  const [mine = '', other = ''] = await world.db.read((tx) =>
    Promise.all(['member', 'guest'].map(async (handle) => (await loadAccount(tx, handle)).account_id)),
  )
  const quote = { kind: 'ride' as const, created_at: 1, used_by: null, doc: {} }
  await world.write(async (tx) => {
    for (const [quote_id, account_id, expires_at] of [
      ['quo_over', mine, 99],
      ['quo_now', mine, 100],
      ['quo_used', mine, 99],
      ['quo_other', other, 99],
    ] as const)
      await insertQuote(tx, { ...quote, quote_id, account_id, expires_at })
    await markQuoteUsed(tx, 'quo_used', 'rid_1')
  })
  await world.write((tx) => purgeQuotes(tx, mine, 100))
  const left = await world.db.read((tx) => tx.all(`select quote_id from quotes order by quote_id`))
  expect(left.map((row) => row['quote_id'])).toEqual(['quo_now', 'quo_other', 'quo_used'])
})
