/** The tax rates of lines in orders and quotes from before lines had one, and who funded their discounts. */
import type { SqlRow, Tx } from '../../../core/db.ts'
import { forEachChunk, formatPlaceholders } from '../../../db/table.ts'
import { findItemWithDeleted } from '../../catalog/queries/catalog.ts'
import { findMerchant } from '../../merchants/queries.ts'
import type { Discount, OrderLine, PricedBasket } from '../../payments/rules/price.ts'

type Older = Pick<PricedBasket, 'taxes'> & {
  lines: (Omit<OrderLine, 'tax_rate_bps'> & { tax_rate_bps?: number })[]
  discounts: (Omit<Discount, 'funded_by'> & Partial<Pick<Discount, 'funded_by'>>)[]
}

/** Writes the missing rates: the only rate of the order's taxes, else that of the item. Members' discounts are the platform's. */
export async function addLineRates(tx: Tx): Promise<void> {
  await addTo(tx, 'orders', 'order_id')
  await addTo(tx, 'quotes', 'quote_id', `and kind = 'food' and used_by is null`)
}

async function addTo(tx: Tx, table: string, key: string, condition = ''): Promise<void> {
  const ids = (await tx.all(`select ${key} from ${table} where 1 = 1 ${condition} order by ${key}`)).map(
    (row) => String(row[key]),
  )
  await forEachChunk(ids, async (chunk) => {
    for (const row of await tx.all(
      `select ${key}, doc from ${table} where ${key} in (${formatPlaceholders(chunk.length)})`,
      ...chunk,
    ))
      await addRates(tx, table, key, row)
  })
}

async function addRates(tx: Tx, table: string, key: string, row: SqlRow): Promise<void> {
  const doc = JSON.parse(String(row['doc'])) as Older
  const [only, ...more] = doc.taxes
  const rates = only !== undefined && more.length === 0 ? undefined : await itemRates(tx, doc.lines)
  for (const line of doc.lines) line.tax_rate_bps ??= rates?.get(line.item_id) ?? only?.rate_bps ?? 0
  for (const discount of doc.discounts) discount.funded_by ??= 'platform'
  await tx.run(`update ${table} set doc = $2 where ${key} = $1`, String(row[key]), JSON.stringify(doc))
}

async function itemRates(tx: Tx, lines: Older['lines']): Promise<Map<string, number>> {
  const rates = new Map<string, number>()
  for (const { item_id } of lines) {
    const item = await findItemWithDeleted(tx, item_id)
    const store = item && (await findMerchant(tx, item.merchant_id))
    rates.set(item_id, item?.doc.tax_rate_bps ?? store?.doc.tax_rate_bps ?? 0)
  }
  return rates
}
