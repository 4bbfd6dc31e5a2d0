/** Reads from a response what a call cost or refunded. */
import { chargedFor } from '../client/parcel-prices.ts'
import type { Money } from '../core/money.ts'
import type { Spending } from '../core/spending.ts'
import { toMoneyOrUndefined } from './prices.ts'

/** Returns the amount in a response; undefined without one. The price of a quote or of a change is known before the call. */
export function chargedIn(spends: Spending | undefined, answer: unknown): Money | undefined {
  switch (spends?.how) {
    case 'invoice':
      return toMoneyOrUndefined(chargedFor(answer))
    case 'fee':
    case 'refund':
      return toMoneyOrUndefined(memberAt(answer, spends.amountAt))
    case 'quote':
    case 'difference':
    case 'nothing':
    case undefined:
      return undefined
  }
}

function memberAt(value: unknown, place: string): unknown {
  return place
    .split('.')
    .reduce<unknown>(
      (at, name) => (at as Readonly<Record<string, unknown>> | null | undefined)?.[name],
      value,
    )
}
