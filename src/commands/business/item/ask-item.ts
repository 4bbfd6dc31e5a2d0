/** Asks a merchant for an item as a person would: its name, its price, a section of the menu, its choices. */
import type { CommandContext } from '../../../cli/cli.ts'
import { type Args, readTextArgument } from '../../../cli/command.ts'
import type { Prompts } from '../../../cli/questions.ts'
import type { Client } from '../../../client/client.ts'
import { orIfForbidden } from '../../../client/fallbacks.ts'
import { type CatalogItem, listOwnItems, listStoreItems } from '../../../client/list-store-items.ts'
import { AppError } from '../../../core/errors.ts'
import { parseMoney, formatGroupedMoney } from '../../../core/money.ts'
import { parseModifierGroups, writeGroups } from '../menu/modifiers.ts'

const ANOTHER = '\0another'
const DONE = '\0done'

/** Returns the arguments with the answers; as they are where nothing is missing or nothing can be asked. */
export async function askItem(cli: CommandContext, args: Args): Promise<Args> {
  const ask = await cli.ask()
  if (ask === undefined) return args
  const isNew = cli.spec.operation?.name === 'create_catalog_item'
  if (isNew) return REQUIRED.some((flag) => args[flag] === undefined) ? askNew(cli, ask, args) : args
  const named = args['item_id'] === undefined ? await askWhich(cli, ask, args) : args
  const isSaid = CHANGED.some((flag) => named[flag] !== undefined)
  return named['item_id'] !== undefined && !isSaid ? askChanges(cli, ask, named) : named
}

const REQUIRED = ['name', 'price', 'category'] as const

/** The present menu, and the item that changes; none where one is made. */
type ItemPromptContext = {
  catalogue: readonly CatalogItem[]
  currency: string
  item: CatalogItem | undefined
}

/** The question for each field, in the order of a new item. */
const QUESTIONS: Readonly<Record<string, (ask: Prompts, asked: ItemPromptContext) => Promise<string>>> = {
  name: (ask, { item }) =>
    ask.input({ message: 'Item name?', ...(item && { default: item.name }), validate: notEmpty }),
  price: (ask, { currency }) =>
    ask.input({
      message: `Price in ${currency}, such as 8.50?`,
      validate(typed) {
        const money = parseMoney(typed, currency)
        return 'problem' in money ? money.detail : undefined
      },
    }),
  category: (ask, { catalogue }) => askCategory(ask, catalogue),
  description: (ask, { item }) =>
    item === undefined
      ? ask.input({ message: 'Short description? Enter for none' })
      : ask.input({ message: 'Short description?', default: item.description ?? '' }),
  modifiers: (ask, { currency, item }) =>
    askChoices(ask, currency, item && writeGroups(item.modifier_groups)),
}

const CHANGED = Object.keys(QUESTIONS)

/** Lets a merchant choose the item; a menu that cannot be read leaves the question for its name. */
async function askWhich(cli: CommandContext, ask: Prompts, args: Args): Promise<Args> {
  const catalogue = await orIfForbidden(listOwnItems(await cli.client()), [])
  if (catalogue.length === 0) return args
  const id = await ask.select({
    message: 'Which item?',
    choices: catalogue.map(({ item_id, name, price, category }) => ({
      value: item_id,
      name: `${name}, ${formatGroupedMoney(price)}`,
      description: category.name,
    })),
  })
  cli.answered.push({ flag: id })
  return { ...args, item_id: id }
}

async function askNew(cli: CommandContext, ask: Prompts, args: Args): Promise<Args> {
  const catalogue = await readMenu(await cli.client(), args)
  const asked = { catalogue, currency: catalogue[0]?.price.currency ?? 'GBP', item: undefined }
  const answers: Record<string, string> = {}
  for (const [flag, question] of Object.entries(QUESTIONS)) {
    const answer = args[flag] === undefined ? (await question(ask, asked)).trim() : ''
    if (answer === '') continue
    answers[flag] = answer
    cli.answered.push({ flag: `--${flag}`, value: answer })
  }
  return { ...args, ...answers }
}

async function askChanges(cli: CommandContext, ask: Prompts, args: Args): Promise<Args> {
  const { resolveItem } = await import('./find-item.ts')
  const { itemId, item } = await resolveItem(await cli.client(), readTextArgument(args, 'item_id') ?? '')
  if (item === undefined) return args
  const asked = { catalogue: await readMenu(await cli.client(), args), currency: item.price.currency, item }
  const answers: Record<string, string> = {}
  for (;;) {
    const field = await askWhatChanges(ask, item, answers)
    if (field === DONE) break
    const answer = await QUESTIONS[field]?.(ask, asked)
    if (answer !== undefined && answer.trim() !== '') answers[field] = answer.trim()
  }
  if (Object.keys(answers).length === 0)
    throw new AppError('not_confirmed', 'Nothing was selected; nothing changed.')
  for (const [flag, value] of Object.entries(answers)) cli.answered.push({ flag: `--${flag}`, value })
  return { ...args, item_id: itemId, ...answers }
}

/** The field that is to change, or DONE: first, once something has changed. */
function askWhatChanges(
  ask: Prompts,
  { name, price, category, description }: CatalogItem,
  answers: Readonly<Record<string, string>>,
): Promise<string> {
  const isChanged = Object.keys(answers).length > 0
  const present = {
    price: formatGroupedMoney(price),
    name,
    category: category.name,
    description: description ?? 'none',
  }
  const members = [
    ...Object.entries(present).map(([value, is]) => ({ value, name: `${value} (${answers[value] ?? is})` })),
    { value: 'modifiers', name: 'all its choices' },
  ]
  return ask.select({
    message: isChanged ? `${name}: what else changes?` : `${name}: what changes?`,
    choices: isChanged
      ? [{ value: DONE, name: 'nothing else' }, ...members]
      : [...members, { value: DONE, name: 'nothing' }],
  })
}

/** A section of the menu, or the name of a new one. */
async function askCategory(ask: Prompts, catalogue: readonly CatalogItem[]): Promise<string> {
  const sections = [...new Set(catalogue.map(({ category }) => category.name))]
  const chosen =
    sections.length === 0
      ? ANOTHER
      : await ask.select({
          message: 'Menu category?',
          choices: [
            ...sections.map((name) => ({ value: name, name })),
            { value: ANOTHER, name: 'a new one' },
          ],
        })
  if (chosen !== ANOTHER) return chosen
  return ask.input({ message: 'Name of the new category?', validate: notEmpty })
}

/** `present` is offered, so that the user does not type again what stays. */
function askChoices(ask: Prompts, currency: string, present = ''): Promise<string> {
  return ask.input({
    ...(present === ''
      ? { message: 'Modifier groups? For example Size[1-1]: Small=0 | Large=1.50; Enter for none' }
      : { message: 'Modifier groups? Groups that you leave out are removed', default: present }),
    validate(typed) {
      if (typed.trim() === '') return undefined
      const read = parseModifierGroups(typed, currency)
      return 'fault' in read ? read.fault.detail : undefined
    },
  })
}

function notEmpty(typed: string): string | undefined {
  return typed.trim() === '' ? 'Please type a value.' : undefined
}

/** The menu, for its sections and its currency; empty for a credential that may only write. */
async function readMenu(client: Client, args: Args): Promise<CatalogItem[]> {
  return orIfForbidden(listStoreItems(client, readTextArgument(args, 'merchant')), [])
}
