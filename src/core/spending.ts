/**
 * How an operation moves its caller's money. Every guard and every document of spending reads it here. An operation
 * that changes something says it, if only `nothing`; a read does not.
 */
export type Spending =
  /** Pays at once the total of a quote, or the fare that the input named `fareBy` chooses. */
  | { how: 'quote'; quotedBy: string; fareBy?: string; buys: string }
  /** Goes on the agreement's invoice. The operation `pricedBy` tells the price before, called with `price_only`. */
  | { how: 'invoice'; pricedBy: string; buys: string }
  /**
   * Cancels, and may keep a fee, which the answer names at `amountAt`. No limit, question or record may keep anybody
   * from cancelling. The fee is written down, and counts unless the price that it is part of has counted.
   */
  | { how: 'fee'; amountAt: string }
  /**
   * Gives a customer's money back: it undoes a sale, and no guard holds it up. What the answer names at `amountAt` is
   * written down. It is not counted: it was never the store's to spend.
   */
  | { how: 'refund'; amountAt: string }
  | { how: 'nothing' }

/** The ways to spend that count against a limit, ask a person and need their record first. */
export type Purchasing = Extract<Spending, { how: 'quote' | 'invoice' }>

/** How an operation buys; undefined for one that costs nothing by itself. */
export function purchasingOf({ spends }: { spends?: Spending | undefined }): Purchasing | undefined {
  return spends?.how === 'quote' || spends?.how === 'invoice' ? spends : undefined
}
