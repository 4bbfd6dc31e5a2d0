/** New items that cost nothing: more often a cell that was left at 0.00 than a gift. */
import { isFree } from '../../../areas/catalog/rules/catalog.ts'
import type { Cli } from '../../../cli/cli.ts'
import { confirmByFlag, confirmPrice } from '../../../cli/confirm.ts'
import { clean } from '../../../cli/output/text.ts'
import type { Money } from '../../../core/money.ts'
import { counted, firstOf } from '../../../rows/wording.ts'
import type { MenuOutcome, MenuRow } from './draft.ts'
import { isRecord } from './json-shape.ts'
import { isGroups } from './known-groups.ts'

/** Returns the names of new items that can be had for nothing. */
export function freeItems(rows: readonly MenuRow[], outcomes: readonly MenuOutcome[]): string[] {
  return rows.flatMap(({ draft }, at) =>
    draft !== undefined && outcomes[at]?.result === 'created' && isFree(draft) ? [draft.name] : [],
  )
}

/** `2 items cost nothing: Laksa, Pho.` */
export function freeText(names: readonly string[]): string {
  if (names.length === 0) return ''
  const shown = firstOf(names.map((name) => clean(name)))
  return counted(names.length, '{1 item costs|# items cost} nothing: {}.', shown)
}

/** Asks before items go on sale for nothing; `allowed` answers it, --yes does not. Throws AppError('not_confirmed'). */
export async function agreeToFree(cli: Cli, names: readonly string[], allowed: boolean): Promise<void> {
  if (names.length === 0 || allowed) return
  const question = counted(names.length, '{} Put {it|them} on sale?', freeText(names))
  await confirmByFlag(cli, question, { flag: '--allow-free' })
}

/** Asks before one new item goes on sale for nothing. Throws AppError('not_confirmed'). */
export async function agreeToFreeItem(cli: Cli, input: Readonly<Record<string, unknown>>): Promise<void> {
  const { name, price, modifier_groups: groups = [] } = input
  // The service refuses a body that is not of its form.
  if (typeof name !== 'string' || !isRecord(price) || !isGroups(groups)) return
  if (!isFree({ price: price as Money, modifier_groups: groups })) return
  await confirmPrice(cli, name, `${freeText([name])} Put it on sale?`)
}
