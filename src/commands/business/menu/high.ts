/** New prices that are probably in pence: `340` is read as £340.00. */
import type { Cli } from '../../../cli/cli.ts'
import { confirmByFlag } from '../../../cli/confirm.ts'
import { clean } from '../../../cli/output/text.ts'
import { exponentOf, majorUnits, spellMoney } from '../../../core/money.ts'
import { counted, firstOf } from '../../../rows/wording.ts'
import type { CatalogItem } from './catalogue.ts'
import type { ItemDraft, MenuOutcome, MenuRow } from './draft.ts'

/** A middle price from which whole ones are doubted, in major units. Menus of most shops are far below. */
const HIGH = 100
/** A store whose present prices are nearly as high knows such prices. */
const FAR_ABOVE = 10
const SHOWN = 3

type Priced = Pick<ItemDraft, 'name' | 'price'>

/** Returns the new items if all their prices are whole and the middle one is high, also beside the present menu. */
export function highItems(
  rows: readonly MenuRow[],
  outcomes: readonly MenuOutcome[],
  catalogue: readonly CatalogItem[],
): Priced[] {
  const created = rows.flatMap(({ draft }, at) =>
    draft !== undefined && outcomes[at]?.result === 'created' && draft.price.amount > 0 ? [draft] : [],
  )
  const isWhole = created.every(
    ({ price }) => exponentOf(price.currency) > 0 && Number.isInteger(majorUnits(price)),
  )
  const middle = median(created.map(({ price }) => majorUnits(price)))
  const present = median(catalogue.map(({ price }) => majorUnits(price)))
  return isWhole && middle >= HIGH && middle > present * FAR_ABOVE ? created : []
}

/** Returns the middle value, of two the lower; 0 of none. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[(values.length - 1) >> 1] ?? 0
}

/** `All 2 new prices are whole and high, as pence or cents would be: Laksa £340.00, Pho £1,195.00.` */
export function highText(items: readonly Priced[]): string {
  if (items.length === 0) return ''
  const named = items.map(({ name, price }) => `${clean(name)} ${spellMoney(price)}`)
  const text = '{The new price is|All # new prices are} whole and high, as pence or cents would be: {}.'
  return counted(items.length, text, firstOf(named, SHOWN))
}

/** Asks before items get prices that are probably in pence. Throws AppError('not_confirmed'). */
export async function agreeToHigh(cli: Cli, items: readonly Priced[], allowed: boolean): Promise<void> {
  if (items.length === 0 || allowed) return
  const question = counted(items.length, '{} Create {it|them} so?', highText(items))
  await confirmByFlag(cli, question, { flag: '--allow-high' })
}
