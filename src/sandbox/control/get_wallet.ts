import * as Type from 'typebox'
import { loadAccount } from '../../areas/account/queries/accounts.ts'
import { ensureWallet } from '../../areas/payments/lifecycle/payment.ts'
import { listAccountLedger } from '../../areas/payments/queries/ledger.ts'
import { findBalance, listBalanceMoves } from '../../areas/rides/lifecycle/balance.ts'
import { strictObject, instant, describeField, money, moneyField } from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import { runDueEvents } from '../due-events.ts'
import { defineControl } from './control.ts'
import { accountHandle, accountParam, accountId } from './schema.ts'

const ENTRIES = 100

export const getWallet = defineControl({
  name: 'get_wallet',
  method: 'GET',
  path: '/sandbox/wallet/{account}',
  summary: 'Show the balance and transactions of a customer’s wallet',
  input: strictObject({ account: accountParam }),
  output: strictObject({
    account_id: accountId,
    handle: accountHandle,
    balance: describeField('Balance', money),
    owed: moneyField('For cancelled rides that were never paid; due with the next ride'),
    owed_entries: Type.Array(
      strictObject({
        at: describeField('Time', instant),
        kind: Type.Enum(['owed', 'paid', 'owed_again'] as const, { meaning: 'Kind of the entry' }),
        amount: describeField('Amount', money),
        ride_id: Type.String({ meaning: 'Ride' }),
      }),
      {
        description: 'The last 100 fees that were owed and paid, newest first; no money of the wallet',
        label: 'Charges and payments',
      },
    ),
    entries: Type.Array(
      strictObject({
        at: describeField('Time', instant),
        kind: Type.Enum(['opening', 'capture', 'refund', 'goodwill'] as const, {
          meaning: 'Kind of the transaction',
        }),
        direction: Type.Enum(['in', 'out'] as const, { meaning: 'Into the wallet, or out of it' }),
        amount: describeField('Amount', money),
        resource_id: Type.String({ meaning: 'Paid order, ride, delivery or other resource' }),
        transaction_id: Type.String({ meaning: 'Transaction' }),
      }),
      { meaning: 'The last 100 transactions, newest first', label: 'Transactions' },
    ),
  }),
  errors: ['account_not_found'],
  example: () => ({ account: 'everything' }),
  cli: {
    command: 'sandbox account wallet',
    danger: 'read',
    positionals: ['account'],
    columns: ['handle', 'balance', 'owed', 'owed_entries', 'entries'],
    examples: ['dray sandbox account wallet member', 'dray sandbox account wallet member --json'],
  },
  run: ({ write }, { account }) =>
    write(async (tx, { world }, now) => {
      const { account_id, handle } = await loadAccount(tx, account)
      await runDueEvents({ tx, world, at: now }, { owner: account_id })
      const balance = await ensureWallet(tx, world, now, account_id)
      const entries = await listAccountLedger(tx, `wallet:${account_id}`, ENTRIES)
      const moves = await listBalanceMoves(tx, account_id, ENTRIES)
      return {
        account_id,
        handle,
        balance,
        owed: await findBalance(tx, account_id, balance.currency),
        owed_entries: moves.map((move) => ({ ...move, at: toTimestamp(move.at) })),
        entries: entries.map(({ at, kind, amount, currency, resource_id, transaction_id }) => ({
          at: toTimestamp(at),
          kind,
          direction: amount < 0 ? ('out' as const) : ('in' as const),
          amount: { amount: Math.abs(amount), currency },
          resource_id,
          transaction_id,
        })),
      }
    }),
})
