/** Returns an amount of pounds, in pence. */
export function gbp(amount: number): { amount: number; currency: string } {
  return { amount, currency: 'GBP' }
}

/** Returns the number in an amount of a response; `NaN` without one. */
export function amountOf(value: unknown): number {
  return Number((value as { amount?: unknown } | undefined)?.amount)
}
