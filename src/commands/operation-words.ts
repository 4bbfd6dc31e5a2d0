/** What the service calls by operations, people call by commands. */
import { AppError } from '../core/errors.ts'
import { loadSpec } from '../generated/registry.ts'

/** The commands that carry out an operation and more. */
const COMMANDS: Readonly<Record<string, string>> = {
  get_restaurant_menu: 'food menu',
  quote_food_order: 'food quote',
  place_food_order: 'food order',
  get_food_order: 'food show',
  accept_business_order: 'business orders accept',
  reject_business_order: 'business orders reject',
  start_business_order_prep: 'business orders prepare',
  mark_business_order_ready: 'business orders ready',
  complete_business_order: 'business orders complete',
  get_business_order: 'business orders show',
  import_catalog_items: 'business catalog import',
  create_shipments_batch: 'carrier upload',
  get_shipment: 'carrier show',
}

const OPERATION = /(?<!dray api |--operation )`?\b([a-z]+(?:_[a-z]+)+)\b`?/g

/** The same failure with `dray food quote` where its message and its hint say quote_food_order. */
export async function inCommands(error: unknown): Promise<unknown> {
  if (!(error instanceof AppError)) return error
  const { code, errors, extra } = error
  const message = await translate(error.message)
  const hint = error.hint === undefined ? undefined : await translate(error.hint)
  if (message === error.message && hint === error.hint) return error
  return new AppError(code, message, { errors, extra, cause: error, ...(hint !== undefined && { hint }) })
}

async function translate(text: string): Promise<string> {
  let said = text
  for (const [whole, name = ''] of text.matchAll(OPERATION)) {
    const words = COMMANDS[name] ?? (await loadSpec(name))?.words
    if (words !== undefined) said = said.replace(whole, `\`dray ${words}\``)
  }
  return said
}
