/** Replaces operation names in errors by the commands that people type. */
import { AppError } from '../core/errors.ts'
import { loadSpec, NAMES } from '../generated/registry.ts'

/** A call that a command makes for its own work: the person asked for that command. */
const REFUSED = new Set(['insufficient_scope', 'membership_required', 'agreement_required'])

const OPERATION = /(?<!dray api |--operation )`?\b([a-z]+(?:_[a-z]+)+)\b`?/g

/**
 * Returns the same error with `dray food quote` in place of quote_food_order in its message and hint. A refusal of the
 * caller names the command that was typed, `words`.
 */
export async function inCommands(error: unknown, words?: string): Promise<unknown> {
  if (!(error instanceof AppError)) return error
  const { code, errors, extra } = error
  const message = await translate(error.message, REFUSED.has(code) ? words : undefined)
  const hint = error.hint === undefined ? undefined : await translate(error.hint)
  if (message === error.message && hint === error.hint) return error
  return new AppError(code, message, { errors, extra, cause: error, ...(hint !== undefined && { hint }) })
}

/** Returns the text with commands in place of operations; `own` stands for each of them, where it is given. */
async function translate(text: string, own?: string): Promise<string> {
  let said = text
  for (const [whole, name = ''] of text.matchAll(OPERATION)) {
    const words = NAMES.includes(name) ? (own ?? (await loadSpec(name))?.words) : undefined
    if (words !== undefined) said = said.replace(whole, `\`dray ${words}\``)
  }
  return said
}
