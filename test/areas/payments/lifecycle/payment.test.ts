import { describe, expect, test } from 'vitest'
import { findAccount } from '../../../../src/areas/account/queries/accounts.ts'
import {
  assertPaymentMethodAccepted,
  capturePayment,
  type ChargeRequest,
  ensureWallet,
  refundPayment,
  settleUnpaidPayment,
  settleRefund,
} from '../../../../src/areas/payments/lifecycle/payment.ts'
import {
  findPayment,
  lockWallet,
  listAccountLedger,
  listResourceLedger,
} from '../../../../src/areas/payments/queries/ledger.ts'
import type { Payment } from '../../../../src/areas/payments/rules/payment.ts'
import { AppError } from '../../../../src/core/errors.ts'
import { listRecordedEvents } from '../../../../src/db/events.ts'
import { findNextTimelineEvent } from '../../../../src/db/timeline.ts'
import { fc } from '../../../support/properties.ts'
import { ENGINES } from '../../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../../support/world.ts'

const pounds = (amount: number) => ({ amount, currency: 'GBP' })
const OWNER = { kind: 'order' as const, counterpartyId: 'agr_store' }

async function open(engine: (typeof ENGINES)[number] | undefined = ENGINES[0]) {
  const world = await openTestSandbox({ ...(engine && { engine }) })
  const account = await world.db.read((tx) => findAccount(tx, 'member'))
  const accountId = account?.account_id ?? ''
  const charge = (differences: Partial<ChargeRequest> = {}): ChargeRequest => ({
    ...OWNER,
    resourceId: 'ord_1',
    accountId,
    merchantId: 'mer_1',
    method: 'card',
    token: 'tok_ok',
    amount: pounds(3018),
    ...differences,
  })
  return {
    world,
    accountId,
    capture: (differences?: Partial<ChargeRequest>) =>
      world.write((tx, stored, now) => capturePayment(tx, stored.world, now, charge(differences))),
    settle: (id = 'ord_1') =>
      world.write((tx, stored, now) => settleUnpaidPayment({ tx, world: stored.world, at: now }, id)),
    refund: (to: 'wallet' | 'original', amount?: number, id = 'ord_1') =>
      world.write((tx, stored, now) =>
        refundPayment({ tx, world: stored.world, at: now }, id, {
          ...OWNER,
          to,
          reason: 'too_busy',
          ...(amount !== undefined && { amount: pounds(amount) }),
        }),
      ),
    settleRefund: (id = 'ord_1') => world.write((tx, stored, now) => settleRefund(tx, stored.world, now, id)),
    balance: async () => (await world.db.read((tx) => lockWallet(tx, accountId)))?.amount,
    moves: async (id = 'ord_1') =>
      (await world.db.read((tx) => listResourceLedger(tx, id))).flatMap(({ account, amount, kind }) =>
        kind === 'share' ? [] : [`${account.replace(accountId, 'me')} ${amount}`],
      ),
  }
}

/** Returns the error of a rejected call; any other result fails the test. */
async function refusal(call: Promise<unknown>): Promise<AppError> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (outcome instanceof AppError) return outcome
  throw new Error(`no refusal but ${String(outcome)}`)
}

describe.each(ENGINES)('on $name', (engine) => {
  test('a good card is paid at once, to the platform', async () => {
    const { capture, moves } = await open(engine)
    expect(await capture()).toMatchObject({ status: 'paid', collected_by: 'platform', refunds: [] })
    expect(await moves()).toEqual(['card:me -3018', 'platform 3018'])
  })

  test('the store’s own processor collects for the store', async () => {
    const { capture, moves } = await open(engine)
    expect(await capture({ token: 'tok_store' })).toMatchObject({
      status: 'paid',
      collected_by: 'store_processor',
    })
    expect(await moves()).toEqual(['card:me -3018', 'store:mer_1 3018'])
  })

  test('where no store sells, no store collects', async () => {
    const { capture } = await open(engine)
    expect(await capture({ token: 'tok_store', merchantId: null })).toMatchObject({
      collected_by: 'platform',
    })
  })

  test('a card that must settle is unpaid for two minutes', async () => {
    const { world, capture, settle, moves } = await open(engine)
    const payment = await capture({ token: 'tok_pending' })
    expect(payment).toMatchObject({ status: 'unpaid', paid_at: null })
    expect(await moves()).toEqual([])
    const planned = await world.db.read((tx) => findNextTimelineEvent(tx, 'ord_1'))
    expect(planned).toMatchObject({
      event: 'payment_settles',
      kind: 'order',
      due_at: payment.created_at + 120_000,
      owner_id: payment.account_id,
      counterparty_id: 'agr_store',
    })
    expect(await settle()).toMatchObject({ status: 'paid', paid_at: await world.now() })
    expect(await moves()).toEqual(['card:me -3018', 'platform 3018'])
    await settle()
    expect(await moves()).toHaveLength(2)
  })

  test.each(['tok_declined', 'tok_stolen', undefined, 'constructor', '__proto__'])(
    'the card %s is declined and leaves nothing',
    async (token) => {
      const { world, capture } = await open(engine)
      expect((await refusal(capture({ token }))).code).toBe('payment_declined')
      expect(await world.db.read((tx) => findPayment(tx, 'ord_1'))).toBeUndefined()
    },
  )

  test.each(['cash', 'pay_at_table'] as const)('%s is paid when it is handed over', async (method) => {
    const { capture, settle, moves, world } = await open(engine)
    expect((await capture({ method, token: undefined })).status).toBe('unpaid')
    expect(await world.db.read((tx) => findNextTimelineEvent(tx, 'ord_1'))).toBeUndefined()
    expect((await settle()).status).toBe('paid')
    expect(await moves()).toEqual(['cash:me -3018', 'platform 3018'])
  })

  test('a wallet starts with £50.00, pays down to nothing, and no further', async () => {
    const { capture, balance, moves, world, accountId } = await open(engine)
    await capture({ method: 'wallet', token: undefined })
    expect(await balance()).toBe(1982)
    const problem = await refusal(
      capture({ method: 'wallet', token: undefined, resourceId: 'ord_2', amount: pounds(1983) }),
    )
    expect(problem).toMatchObject({ code: 'insufficient_funds', extra: { balance: pounds(1982) } })
    await capture({ method: 'wallet', token: undefined, resourceId: 'ord_3', amount: pounds(1982) })
    expect(await balance()).toBe(0)
    expect(await moves('ord_3')).toEqual(['wallet:me -1982', 'platform 1982'])
    const entries = await world.db.read((tx) => listAccountLedger(tx, `wallet:${accountId}`, 10))
    expect(entries.map(({ amount, kind }) => `${kind} ${amount}`)).toEqual([
      'capture -1982',
      'capture -3018',
      'opening 5000',
    ])
  })

  test('a wallet is opened once', async () => {
    const { world, accountId, balance } = await open(engine)
    for (const _ of [1, 2]) {
      await world.write((tx, stored, now) => ensureWallet(tx, stored.world, now, accountId))
    }
    expect(await balance()).toBe(5000)
  })

  test('a wallet pays for nothing in another currency', async () => {
    const { capture } = await open(engine)
    const problem = await refusal(capture({ method: 'wallet', amount: { amount: 1, currency: 'EUR' } }))
    expect(problem.code).toBe('insufficient_funds')
  })

  test('a price of zero counts as paid and moves no money', async () => {
    const { capture, refund, moves } = await open(engine)
    expect((await capture({ amount: pounds(0) })).status).toBe('paid')
    expect((await refund('wallet')).status).toBe('refunded')
    expect(await moves()).toEqual([])
  })

  test('a second payment for one resource is rejected by the store', async () => {
    const { capture, moves } = await open(engine)
    await capture()
    await expect(capture()).rejects.toThrow(/unique|duplicate/i)
    expect(await moves()).toHaveLength(2)
  })

  test('a store that rejects pays a card back to the wallet, at once', async () => {
    const { capture, refund, balance, moves } = await open(engine)
    await capture()
    expect(await refund('wallet')).toMatchObject({
      status: 'refunded',
      refunds: [
        {
          status: 'succeeded',
          destination: 'platform_wallet',
          amount: pounds(3018),
          reason: 'too_busy',
        },
      ],
    })
    expect(await balance()).toBe(8018)
    expect(await moves()).toEqual(['card:me -3018', 'platform 3018', 'platform -3018', 'wallet:me 3018'])
  })

  test.each([
    ['card', 'tok_ok', 'card:me 3018'],
    ['wallet', undefined, 'wallet:me 3018'],
  ] as const)('a customer who cancels is paid back the way he paid: %s', async (method, token, last) => {
    const { capture, refund, moves } = await open(engine)
    await capture({ method, token })
    expect(await refund('original')).toMatchObject({
      status: 'refunded',
      refunds: [{ status: 'succeeded', destination: 'original_method' }],
    })
    expect((await moves()).at(-1)).toBe(last)
  })

  test.each(['wallet', 'original'] as const)(
    'what the store’s processor collected, it pays back within a minute (%s)',
    async (to) => {
      const { world, capture, refund, settleRefund: settle, moves, balance } = await open(engine)
      await capture({ token: 'tok_store' })
      const pending = await refund(to)
      expect(pending).toMatchObject({
        status: 'refund_pending',
        refunds: [{ status: 'pending', destination: 'card_via_store_processor', settled_at: null }],
      })
      expect(await moves()).toHaveLength(2)
      const planned = await world.db.read((tx) => findNextTimelineEvent(tx, 'ord_1'))
      expect(planned).toMatchObject({
        event: 'refund_settles',
        due_at: (pending.refunds[0]?.created_at ?? 0) + 60_000,
        counterparty_id: 'agr_store',
      })
      expect(await settle()).toMatchObject({ status: 'refunded', refunds: [{ status: 'succeeded' }] })
      expect((await moves()).slice(2)).toEqual(['store:mer_1 -3018', 'card:me 3018'])
      expect((await settle()).status).toBe('refunded')
      expect(await moves()).toHaveLength(4)
      expect(await balance()).toBe(5000)
    },
  )

  test('a payment that was never made is voided, without a refund', async () => {
    const { capture, refund, settle, moves } = await open(engine)
    await capture({ token: 'tok_pending' })
    expect(await refund('wallet')).toMatchObject({ status: 'failed', refunds: [] })
    expect((await settle()).status).toBe('failed')
    expect((await refund('wallet')).status).toBe('failed')
    expect(await moves()).toEqual([])
  })

  test('a repeated refund returns the first one', async () => {
    const { capture, refund, balance } = await open(engine)
    await capture()
    const first = await refund('wallet')
    expect(await refund('original', 1)).toEqual(first)
    expect(await balance()).toBe(8018)
  })

  test('a fee is kept, and the rest is refunded', async () => {
    const { capture, refund, moves } = await open(engine)
    await capture()
    expect(await refund('original', 2518)).toMatchObject({
      status: 'partially_refunded',
      refunds: [{ status: 'succeeded', amount: pounds(2518) }],
    })
    expect((await moves()).slice(2)).toEqual(['platform -2518', 'card:me 2518'])
  })

  test('a part stays a part while the store’s processor pays it back, and afterwards', async () => {
    const { world, capture, refund, settleRefund: settle, moves } = await open(engine)
    const { payment_id } = await capture({ token: 'tok_store' })
    const pending = { status: 'partially_refunded', refunds: [{ status: 'pending', amount: pounds(18) }] }
    expect(await refund('original', 18)).toMatchObject(pending)
    expect(await settle()).toMatchObject({ status: 'partially_refunded', refunds: [{ status: 'succeeded' }] })
    expect((await moves()).slice(2)).toEqual(['store:mer_1 -18', 'card:me 18'])
    const events = await world.db.read((tx) => listRecordedEvents(tx, 0, 1000))
    expect(
      events.filter(({ resource_id }) => resource_id === payment_id).map(({ type, from }) => [type, from]),
    ).toEqual([
      ['payment.paid', null],
      ['payment.partially_refunded', 'paid'],
      ['payment.partially_refunded', 'partially_refunded'],
    ])
  })

  test('several parts go back one after the other, then the rest, and no penny more', async () => {
    const { capture, refund, settleRefund: settle, moves } = await open(engine)
    await capture({ token: 'tok_store' })
    await refund('original', 18)
    await refund('original', 1000)
    expect(await refund('original')).toMatchObject({
      status: 'refund_pending',
      refunds: [18, 1000, 2000].map((amount) => ({ status: 'pending', amount: pounds(amount) })),
    })
    const states = async () => {
      const { status, refunds } = await settle()
      return [status, ...refunds.map((each) => each.status)]
    }
    expect(await states()).toEqual(['refund_pending', 'succeeded', 'pending', 'pending'])
    expect(await states()).toEqual(['refund_pending', 'succeeded', 'succeeded', 'pending'])
    expect(await states()).toEqual(['refunded', 'succeeded', 'succeeded', 'succeeded'])
    expect((await moves()).filter((move) => move.startsWith('card'))).toEqual([
      'card:me -3018',
      'card:me 18',
      'card:me 1000',
      'card:me 2000',
    ])
    expect((await refund('original')).refunds).toHaveLength(3)
  })

  test('more than is kept never goes back', async () => {
    const { capture, refund } = await open(engine)
    await capture()
    await refund('original', 3000)
    await expect(refund('original', 19)).rejects.toThrow(/keeps less/)
  })

  test('a fee of all there is leaves it paid', async () => {
    const { capture, refund } = await open(engine)
    await capture()
    expect(await refund('original', 0)).toMatchObject({ status: 'paid', refunds: [] })
  })

  test('every change is an event of the payment, each leading on from the one before', async () => {
    const { world, capture, settle, refund } = await open(engine)
    const { payment_id } = await capture({ token: 'tok_pending' })
    await settle()
    await refund('wallet')
    const events = await world.db.read((tx) => listRecordedEvents(tx, 0, 1000))
    const own = events.filter(({ resource_id }) => resource_id === payment_id)
    expect(own.map(({ from, to }) => `${from} ${to}`)).toEqual([
      'null unpaid',
      'unpaid paid',
      'paid refunded',
    ])
  })
})

test('a payment says when it was paid, and its events what went back', async () => {
  const { world, capture, refund } = await open()
  const payment = await capture()
  expect(payment.paid_at).toBe(await world.now())
  const refunded = await refund('wallet', 1000)
  const events = await world.db.read((tx) => listRecordedEvents(tx, 0, 1000))
  const own = events.filter(({ resource_id }) => resource_id === payment.payment_id)
  const captured = { resource_id: 'ord_1', amount: pounds(3018) }
  expect(own.map(({ data }) => data)).toEqual([
    captured,
    { ...captured, refund_id: refunded.refunds[0]?.refund_id, refunded: pounds(1000) },
  ])
})

describe('an account without a wallet', () => {
  async function openWithout() {
    const opened = await open()
    // The seeded field has used its wallet.
    await opened.world.write(async (tx) => {
      await tx.run('delete from wallets')
      await tx.run(`delete from ledger where kind = 'opening'`)
    })
    return opened
  }

  test('gets one with its opening balance, from the platform', async () => {
    const { world, accountId, balance } = await openWithout()
    const opening = () => world.write((tx, stored, now) => ensureWallet(tx, stored.world, now, accountId))
    expect(await balance()).toBeUndefined()
    expect([await opening(), await opening(), await balance()]).toEqual([pounds(5000), pounds(5000), 5000])
    const entries = await world.db.read((tx) => listResourceLedger(tx, accountId))
    expect(entries).toMatchObject([
      { transaction_id: `opening:${accountId}`, kind: 'opening', account: 'platform', amount: -5000 },
      {
        transaction_id: `opening:${accountId}`,
        kind: 'opening',
        account: `wallet:${accountId}`,
        amount: 5000,
      },
    ])
  })

  test('gets it for a refund to the wallet, and not for one to the card', async () => {
    const { capture, refund, balance } = await openWithout()
    await capture()
    await capture({ resourceId: 'ord_2' })
    await refund('original')
    expect(await balance()).toBeUndefined()
    await refund('wallet', undefined, 'ord_2')
    expect(await balance()).toBe(8018)
  })
})

test('a declined card has another error than an unknown one, which lists the known cards', async () => {
  const { capture } = await open()
  const hint = expect.stringContaining('tok_ok') as string
  const [declined, unknown] = [
    await refusal(capture({ token: 'tok_declined' })),
    await refusal(capture({ token: 'tok_stolen' })),
  ]
  expect(declined).toMatchObject({ message: 'The card was declined.', hint })
  expect(unknown).toMatchObject({
    message: expect.stringContaining('not a test card of this sandbox') as string,
    hint,
  })
})

test('a method that is not accepted is rejected with those that are', async () => {
  expect(() => assertPaymentMethodAccepted('card', ['card', 'wallet'], 'A booking')).not.toThrow()
  const refused = await refusal(
    Promise.try(() => assertPaymentMethodAccepted('cash', ['card', 'wallet'], 'A booking')),
  )
  expect(refused).toMatchObject({
    code: 'payment_method_not_accepted',
    message: 'A booking must be paid by card or wallet, not by cash.',
    extra: { accepted_methods: ['card', 'wallet'] },
    errors: [
      { pointer: '/payment/method', code: 'invalid_enum', detail: 'method must be one of card, wallet' },
    ],
  })
})

type Step =
  | { do: 'capture'; method: 'card' | 'wallet' | 'cash'; token: string; amount: number }
  | { do: 'settle' | 'settleRefund'; of: number }
  | { do: 'refund'; of: number; to: 'wallet' | 'original' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('capture' as const),
    method: fc.constantFrom('card' as const, 'wallet' as const, 'cash' as const),
    token: fc.constantFrom('tok_ok', 'tok_pending', 'tok_store'),
    amount: fc.integer({ min: 0, max: 4000 }),
  }),
  fc.record({ do: fc.constantFrom('settle' as const, 'settleRefund' as const), of: fc.nat(5) }),
  fc.record({
    do: fc.constant('refund' as const),
    of: fc.nat(5),
    to: fc.constantFrom('wallet' as const, 'original' as const),
  }),
)

async function play(test: Awaited<ReturnType<typeof open>>, steps: readonly Step[]): Promise<void> {
  let captured = 0
  for (const each of steps) {
    if (each.do === 'capture') {
      const { method, token, amount } = each
      const resourceId = `ord_${captured}`
      const taken = await test
        .capture({ method, token, amount: pounds(amount), resourceId })
        .catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error
        })
      if (taken !== undefined) captured += 1
      continue
    }
    if (captured === 0) continue
    const id = `ord_${each.of % captured}`
    if (each.do === 'refund') await test.refund(each.to, undefined, id)
    else await test[each.do](id)
  }
}

async function books({ db }: TestSandbox) {
  return db.read(async (tx) => ({
    open: await tx.all('select transaction_id from ledger group by transaction_id having sum(amount) <> 0'),
    wallets: await tx.all(
      `select w.account_id, w.balance from wallets w where w.balance < 0 or w.balance <>
         (select coalesce(sum(l.amount), 0) from ledger l where l.account = 'wallet:' || w.account_id)`,
    ),
    payments: await Promise.all(
      (await tx.all('select resource_id from payments')).map(async (row) => {
        const id = String(row['resource_id'])
        return { payment: await findPayment(tx, id), ledger: await listResourceLedger(tx, id) }
      }),
    ),
  }))
}

function held(payment: Payment | undefined): number {
  const { status, amount } = payment ?? { status: 'failed' as const, amount: pounds(0) }
  return status === 'paid' || status === 'refund_pending' ? amount.amount : 0
}

test('after any payments and refunds the ledger balances and no wallet is below zero', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const opened = await open()
      await play(opened, steps)
      const { open: unbalanced, wallets, payments } = await books(opened.world)
      expect(unbalanced).toEqual([])
      expect(wallets).toEqual([])
      for (const { payment, ledger } of payments) {
        const kept = ledger
          .filter(
            ({ account, kind }) =>
              kind !== 'share' && (account === 'platform' || account.startsWith('store:')),
          )
          .reduce((sum, { amount }) => sum + amount, 0)
        expect(kept).toBe(held(payment))
        expect(ledger.filter(({ kind }) => kind === 'refund').length).toBeLessThanOrEqual(2)
      }
    }),
    { numRuns: 30 },
  )
})
