/** An order that is put together at a terminal, question by question. */
import { expect, test } from 'vitest'
import { makeHome } from '../../support/home.ts'
import { typeAt } from '../../support/printed-hints.ts'

const FROZEN = { DRAY_NOW: '2026-11-20T12:00:00Z', NO_COLOR: '1' }
const HERE = '12 Finsbury Square, EC2A 1AN'
const DELIVERY = '1'

test('the address comes first, and only stores that deliver there are offered', async () => {
  using home = makeHome(FROZEN)
  const { err } = await typeAt(home, 'dray food order', [DELIVERY, HERE])
  expect(err).toMatch(/Delivery address\?[^]*Choose a store\n[^]*Lime Street Noodles, 955 m/)
  // It is near, and does not deliver.
  expect(err).not.toContain('Fig & Fennel Counter')
})

test('the prompt repeats for an address to which no store delivers', async () => {
  using home = makeHome(FROZEN)
  const { err } = await typeAt(home, 'dray food order', [DELIVERY, 'richmond', HERE])
  expect(err).toContain('No store delivers there.')
  expect(err).toContain(`As answered: dray food order --fulfillment delivery --to '${HERE}'\n`)
  expect(err).toContain('Choose a store\n')
})

test('a store that is closed is offered for later, where none is open', async () => {
  using home = makeHome({ ...FROZEN, DRAY_NOW: '2026-11-21T03:00:00Z' })
  const { err } = await typeAt(home, 'dray food order', ['3'])
  expect(err).toContain('No store is open now. Choose one, for later\n')
})

test('the prompt repeats after answers that the store rejects, and the order is placed', async () => {
  using home = makeHome(FROZEN)
  const jok = (section: string) => [section, '2', '1', '', '1']
  const { err, code } = await typeAt(home, 'dray food order "Lime Street"', [
    DELIVERY,
    'stratford',
    ...jok('3'),
    // At a set time, without a tip and a note.
    '2',
    'tomorrow 02:00',
    '',
    '',
    HERE,
    ...jok('4'),
    '2',
    'yes',
  ])
  expect(err).toMatch(/^Lime Street Noodles delivers up to 4000 m away; dropoff is \d+ m away\.$/m)
  expect(err).toContain(
    'The minimum order of Lime Street Noodles for delivery is £10.00; £3.50 are missing.\n',
  )
  expect(err).toContain('Lime Street Noodles has no slot at 2026-11-21 02:00: it is closed then.\n')
  // Slots of tonight stand before tomorrow's.
  expect(err).toContain('2. 2026-11-20 22:15\n')
  expect(err).toContain(
    `Without questions: dray food order 'Lime Street' --fulfillment delivery --to '${HERE}' --item Jok --item Jok --for 2026-11-20T22:15:00.000+00:00 --yes --max-total 16.19\n`,
  )
  expect(code).toBe(0)
})

test('a price above the limit is shown item by item before it is rejected', async () => {
  using home = makeHome(FROZEN)
  const line = 'dray food order "Lime Street" --item Jok --fulfillment pickup'
  const { err, code } = await typeAt(home, `${line} --max-total 5`, [])
  expect(code).toBe(7)
  expect(err).toMatch(
    /1 × Jok: £6\.50[^]*Total: £7\.35[^]*The price is £7\.35, above the limit of £5\.00\. Nothing was bought\./,
  )
})
