import { expect, test } from 'vitest'
import { changeLedger, readLedger } from '../../src/local-state/ledger.ts'
import { makeHome } from '../support/home.ts'
import { gbp } from '../support/money.ts'

test('a purchase is remembered for as long as it counts, however much was changed since', async () => {
  using home = makeHome()
  const purse = { service: 'here', account: 'member' }
  await changeLedger(home, purse, (ledger) => {
    const others = Array.from({ length: 600 }, (_, at) => `change-${at}`)
    for (const intent of ['dinner', ...others]) ledger.intents.push({ intent, generation: 0, state: 'done' })
    ledger.spent.push({ intent: 'dinner', generation: 0, quote: 'quo_1', total: gbp(1840), at: 0 })
  })
  const kept = readLedger(home, purse).intents.map(({ intent }) => intent)
  expect(kept).toHaveLength(501)
  expect(kept[0]).toBe('dinner')
})
