/** What the service calls by operations, people call by commands. */
import { AppError } from '../core/errors.ts'
import { loadSpec, NAMES } from '../generated/registry.ts'

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
    const words = NAMES.includes(name) ? (await loadSpec(name))?.words : undefined
    if (words !== undefined) said = said.replace(whole, `\`dray ${words}\``)
  }
  return said
}
