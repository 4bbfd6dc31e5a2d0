/**
 * The effect of an operation on its caller's money. Every spending guard and document reads it here. Each operation
 * that changes something declares it, even if it is `nothing`; a read does not.
 */
export type Spending =
  /** Pays the total of a quote at once, or the fare that the input named `fareBy` chooses. */
  | { how: 'quote'; quotedBy: string; fareBy?: string; buys: string }
  /**
   * Adds to the agreement's invoice. The operation `pricedBy`, called with `price_only`, returns the price
   * before.
   */
  | { how: 'invoice'; pricedBy: string; buys: string }
  /**
   * Changes what is on the agreement's invoice already. The input `expected_total` agrees to a new price, and costs what it is
   * above the present one, which `seenBy` shows for the thing that `by` names. Without it the price stays. A lower price gives
   * nothing back.
   */
  | { how: 'difference'; seenBy: string; by: string; buys: string }
  /**
   * Cancels, and may charge a fee, which is the field `amountAt` of the response. No limit, question or record may
   * prevent a cancellation. The fee is recorded, and counts unless the price that includes it has already counted.
   */
  | { how: 'fee'; amountAt: string }
  /**
   * Refunds a customer, which undoes a sale; only `dray mcp --confirm` asks a person before it. The field `amountAt` of the response is recorded.
   * It does not count, because the money was never the store's to spend.
   */
  | { how: 'refund'; amountAt: string }
  | { how: 'nothing' }

/** The kinds of spending that count against a limit, need a person's consent, and are recorded first. */
export type PurchaseSpending = Extract<Spending, { how: 'quote' | 'invoice' | 'difference' }>

/** Returns how an operation buys; undefined for one that has no price of its own. */
export function purchasingOf({ spends }: { spends?: Spending | undefined }): PurchaseSpending | undefined {
  switch (spends?.how) {
    case 'quote':
    case 'invoice':
    case 'difference':
      return spends
    case 'fee':
    case 'refund':
    case 'nothing':
    case undefined:
      return undefined
  }
}

/** Returns whether a purchase with this input can cost anything: not one that only prices, or that agrees to no new price. */
export function canCost(
  purchasing: PurchaseSpending | undefined,
  input: Readonly<Record<string, unknown>>,
): boolean {
  if (purchasing === undefined || input['price_only'] === true) return false
  return purchasing.how !== 'difference' || (input['expected_total'] ?? null) !== null
}
