/** Payments, wallets and the ledger as they are kept. */
import { beforeEach, describe, expect, test } from 'vitest'
import { loadAccount } from '../../../src/areas/account/queries/accounts.ts'
import {
  findPayment,
  findPayments,
  insertPayment,
  insertLatestRefund,
  insertWallet,
  listAccountLedger,
  listResourceLedger,
  loadPayment,
  lockWallet,
  postTransfer,
  sumLedger,
  type Transfer,
  updatePayment,
  updateRefund,
} from '../../../src/areas/payments/queries/ledger.ts'
import type { Payment } from '../../../src/areas/payments/rules/payment.ts'
import { CARD, makeBasket } from '../../support/food.ts'
import { gbp } from '../../support/money.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

let world: TestSandbox
let accountId: string

beforeEach(async () => {
  world = await openTestSandbox()
  accountId = (await world.db.read((tx) => loadAccount(tx, 'member'))).account_id
  // The seeded field has used its wallet.
  await world.write((tx) => tx.run('delete from wallets'))
})

const payment = (differences: Partial<Payment> = {}): Payment => ({
  payment_id: 'pay_1',
  resource_id: 'rid_1',
  account_id: accountId,
  merchant_id: null,
  method: 'card',
  status: 'paid',
  collected_by: 'store_processor',
  amount: gbp(1200),
  created_at: 1,
  paid_at: 2,
  share: null,
  refunds: [],
  ...differences,
})

const REFUND = {
  refund_id: 'rfd_1',
  status: 'pending',
  destination: 'card_via_store_processor',
  amount: gbp(200),
  reason: 'too_busy',
  borne_by: null,
  share: null,
  created_at: 3,
  settled_at: null,
} as const

describe('a payment', () => {
  test('is read as it was written, before and after its refund', async () => {
    const unpaid = payment({ status: 'unpaid', paid_at: null })
    await world.write((tx) => insertPayment(tx, unpaid))
    expect(await world.db.read((tx) => findPayment(tx, 'rid_1'))).toEqual(unpaid)
    const waits = payment({ status: 'partially_refunded', refunds: [REFUND] })
    const both = { ...waits, refunds: [REFUND, { ...REFUND, refund_id: 'rfd_2', settled_at: 5 }] }
    for (const next of [payment(), waits, both]) {
      await world.write(async (tx) => {
        await updatePayment(tx, next)
        if (next.refunds.length > 0) await insertLatestRefund(tx, next)
      })
      expect(await world.db.read((tx) => loadPayment(tx, 'rid_1'))).toEqual(next)
    }
    const settled = { ...REFUND, status: 'succeeded', settled_at: 4 } as const
    await world.write((tx) => updateRefund(tx, settled))
    expect((await world.db.read((tx) => loadPayment(tx, 'rid_1'))).refunds).toEqual([
      settled,
      both.refunds[1],
    ])
  })

  test('has one refund of each place', async () => {
    await world.write((tx) => insertPayment(tx, payment()))
    const first = payment({ refunds: [REFUND] })
    await world.write((tx) => insertLatestRefund(tx, first))
    const again = payment({ refunds: [{ ...REFUND, refund_id: 'rfd_2' }] })
    await expect(world.write((tx) => insertLatestRefund(tx, again))).rejects.toThrow(/unique/i)
  })

  test('is found among others by its resource, and missed where there is none', async () => {
    const [one, two] = [payment(), payment({ payment_id: 'pay_2', resource_id: 'rid_2', refunds: [REFUND] })]
    await world.write(async (tx) => {
      await insertPayment(tx, one)
      await insertPayment(tx, two)
      await insertLatestRefund(tx, two)
    })
    await world.db.read(async (tx) => {
      expect(await findPayments(tx, ['rid_2', 'rid_none'])).toEqual(new Map([['rid_2', two]]))
      expect(await findPayment(tx, 'rid_none')).toBeUndefined()
      await expect(loadPayment(tx, 'rid_none')).rejects.toThrow('rid_none has no payment')
    })
  })

  test('of an order changes the list of orders by payment, too', async () => {
    const { quote_id } = await world.ok('quote_food_order', await makeBasket(world))
    const { order_id } = await world.ok('place_food_order', { quote_id, payment: CARD }, { key: 'k' })
    const stated = () =>
      world.db.read((tx) => tx.get('select payment_status from orders where order_id = $1', order_id))
    expect(await stated()).toEqual({ payment_status: 'paid' })
    await world.write(async (tx) => {
      await updatePayment(tx, { ...(await loadPayment(tx, order_id)), status: 'failed' })
    })
    expect(await stated()).toEqual({ payment_status: 'failed' })
  })
})

describe('a transfer', () => {
  const move = (differences: Partial<Transfer>) =>
    world.write((tx) =>
      postTransfer(tx, 7, {
        transaction_id: 'pay_1',
        kind: 'capture',
        resource_id: 'rid_1',
        from: `card:${accountId}`,
        to: 'platform',
        amount: gbp(1200),
        ...differences,
      }),
    )
  const balance = () => world.db.read((tx) => lockWallet(tx, accountId))
  const open = () => world.write((tx) => insertWallet(tx, accountId, 'GBP'))

  test('is two entries that add up to nothing, one after the other', async () => {
    await move({})
    const [out, into, ...more] = await world.db.read((tx) => listResourceLedger(tx, 'rid_1'))
    const shared = { transaction_id: 'pay_1', currency: 'GBP', kind: 'capture', resource_id: 'rid_1', at: 7 }
    expect(out).toEqual({ ...shared, seq: out?.seq, account: `card:${accountId}`, amount: -1200 })
    expect(into).toEqual({ ...shared, seq: (out?.seq ?? 0) + 1, account: 'platform', amount: 1200 })
    expect(more).toEqual([])
  })

  test('moves the wallets that it names, and no other account', async () => {
    expect(await open()).toBe(true)
    expect(await balance()).toEqual(gbp(0))
    await move({ from: 'platform', to: `wallet:${accountId}` })
    expect(await balance()).toEqual(gbp(1200))
    await move({ from: `wallet:${accountId}`, amount: gbp(200) })
    expect(await balance()).toEqual(gbp(1000))
    await move({})
    expect(await balance()).toEqual(gbp(1000))
  })

  test('takes no more than a wallet has, and needs the wallet that it names', async () => {
    await expect(move({ from: `wallet:${accountId}` })).rejects.toThrow(`there is no wallet:${accountId}`)
    await open()
    await expect(move({ from: `wallet:${accountId}` })).rejects.toThrow('CHECK constraint')
    expect(await world.db.read((tx) => listResourceLedger(tx, 'rid_1'))).toEqual([])
  })

  test('opens a wallet once', async () => {
    expect([await balance(), await open(), await open()]).toEqual([undefined, true, false])
  })

  test('counts in the sum of its account and currency, and the latest is first', async () => {
    for (const amount of [gbp(100), gbp(20), { amount: 3, currency: 'EUR' }])
      await move({ transaction_id: `pay_${amount.amount}`, to: 'debt:acc_1', amount })
    await world.db.read(async (tx) => {
      expect([await sumLedger(tx, 'debt:acc_1', 'GBP'), await sumLedger(tx, 'debt:acc_1', 'EUR')]).toEqual([
        120, 3,
      ])
      expect(await sumLedger(tx, 'debt:acc_1', 'USD')).toBe(0)
      const latest = await listAccountLedger(tx, 'debt:acc_1', 2)
      expect(latest.map(({ amount }) => amount)).toEqual([3, 20])
    })
  })
})
