/** The store that a business command is about: by its id, by its name, or chosen among several. */
import type { CommandContext } from '../../cli/cli.ts'
import { type Args, readTextArgument } from '../../cli/command.ts'
import { askWhich } from '../../cli/nearby.ts'
import { missingInputError } from '../../cli/prompts.ts'
import { type StoreSummary, storesOf } from '../../client/list-store-items.ts'
import { AppError } from '../../core/errors.ts'
import { foldForSearch } from '../../core/fold.ts'
import { findClosestWord } from '../../core/nearest.ts'
import { matchByName } from '../items.ts'
import { MERCHANT_FLAG } from './merchant-flag.ts'

type Runs = (args: Args) => Promise<number | undefined>

const MAX_SHOWN_ID_LENGTH = 60

/**
 * Runs a command with the id of the store that `--merchant` names. Where an owner of several stores named none, a person
 * is asked, and a script gets the choices. Throws AppError('usage' | 'merchant_not_found').
 */
export async function runForStore(cli: CommandContext, args: Args, run: Runs): Promise<number | undefined> {
  const typed = readTextArgument(args, 'merchant')
  if (typed !== undefined) return run({ ...args, merchant: await findStoreId(cli, typed) })
  try {
    return await run(args)
  } catch (error) {
    const stores = storesToChoose(error)
    if (stores === undefined) throw error
    return run({ ...args, merchant: await chooseStore(cli, stores, error) })
  }
}

/** Returns the id of the caller's store with this id or name. */
async function findStoreId(cli: CommandContext, typed: string): Promise<string> {
  if (/^mer_[0-9a-z]{26}$/.test(typed)) return typed
  const stores = await listOwnStores(cli, typed)
  const named = matchByName(stores, typed, idOf)
  if ('one' in named) return named.one.merchant_id
  const several = named.several.length > 0 ? named.several : withWords(stores, typed)
  const [only, ...more] = several
  if (only === undefined) throw unknownStore(stores, typed)
  return more.length === 0 ? only.merchant_id : (await askWhich(cli, 'stores', several, CHOICES)).merchant_id
}

const idOf = ({ merchant_id }: StoreSummary): string => merchant_id

const CHOICES = { idOf, choiceOf: (store: StoreSummary) => ({ value: store, name: store.name }) }

/** Returns the stores with all these words in their names, in any order. */
function withWords(stores: readonly StoreSummary[], typed: string): StoreSummary[] {
  const words = foldForSearch(typed).split(/\s+/)
  return stores.filter(({ name }) => words.every((word) => foldForSearch(name).split(/\s+/).includes(word)))
}

/**
 * Returns the caller's stores. No operation lists them: the error of an id that is none of theirs does. A credential
 * may read orders, the menu, or both.
 */
async function listOwnStores(cli: CommandContext, typed: string): Promise<StoreSummary[]> {
  const client = await cli.client()
  const unknown = typed.slice(0, MAX_SHOWN_ID_LENGTH)
  const readers = ['list_catalog_items', 'list_business_orders'] as const
  const order = cli.spec.words.startsWith('business catalog') ? readers : readers.toReversed()
  let refused: unknown
  for (const operation of order) {
    try {
      await client.call(operation, { merchant_id: unknown, limit: 1 })
      // The service knows a store by this word.
      return [{ merchant_id: unknown, name: unknown }]
    } catch (error) {
      const stores = storesOf(error)
      if (stores !== undefined) return stores
      refused = error
      if (!(error instanceof AppError) || error.code !== 'insufficient_scope') throw error
    }
  }
  throw refused
}

function unknownStore(stores: readonly StoreSummary[], typed: string): AppError {
  const names = new Map(stores.map(({ name }) => [foldForSearch(name), name]))
  const meant = names.get(findClosestWord(foldForSearch(typed), [...names.keys()]) ?? '')
  const own = stores.map(({ name, merchant_id }) => `${name} (${merchant_id})`).join(', ')
  return new AppError('merchant_not_found', `You have no store ${JSON.stringify(typed.slice(0, 60))}.`, {
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}You have ${own === '' ? 'none' : own}.`,
    extra: { merchants: stores },
  })
}

/** Returns the stores of which an error wants one, as far as it lists them; undefined for another error. */
function storesToChoose(error: unknown): StoreSummary[] | undefined {
  if (!(error instanceof AppError)) return undefined
  const isAsked = error.errors.some(
    ({ parameter, pointer, code }) =>
      code === 'required' && (parameter === 'merchant_id' || pointer === '/merchant_id'),
  )
  return isAsked ? (storesOf(error) ?? []) : undefined
}

/** Asks which store is meant. Throws AppError with the choices where dray cannot prompt. */
async function chooseStore(
  cli: CommandContext,
  stores: readonly StoreSummary[],
  refusal: unknown,
): Promise<string> {
  // A change was sent with this key, so another body may not have it.
  const isSent = refusal instanceof AppError && refusal.errors.some(({ pointer }) => pointer !== undefined)
  const isFixed = stores.length === 0 || (isSent && cli.globals.idempotencyKey !== undefined)
  const ask = isFixed ? undefined : await cli.ask()
  if (ask !== undefined) {
    const store = await ask.select({
      message: 'Choose a store',
      choices: stores.map((each) => CHOICES.choiceOf(each)),
    })
    cli.answered.push({ flag: '--merchant', value: store.name })
    return store.merchant_id
  }
  if (isSent || !(refusal instanceof AppError)) throw refusal
  const { errors, hint } = missingInputError(cli.argv, [
    {
      flag: '--merchant',
      value: stores[0]?.name ?? MERCHANT_FLAG.value,
      description: MERCHANT_FLAG.description,
    },
  ])
  throw new AppError('usage', refusal.message, {
    errors,
    ...(hint !== undefined && { hint }),
    extra: refusal.extra,
    cause: refusal,
  })
}
