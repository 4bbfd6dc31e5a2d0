/** Asks a merchant for an item as a person would: its name, its price, a section of the menu, its choices. */
import type { Cli } from '../../../cli/cli.ts'
import { type Args, text } from '../../../cli/command.ts'
import type { Ask } from '../../../cli/questions.ts'
import { listOwnItems } from '../../../client/own-items.ts'
import { AppError } from '../../../core/errors.ts'
import { parseMoney, spellMoney } from '../../../core/money.ts'
import { type CatalogItem, listCatalogue } from './catalogue.ts'
import { readGroups, writeGroups } from './modifiers.ts'

const ANOTHER = '\0another'
const DONE = '\0done'

/** Returns the arguments with the answers; as they are where nothing is missing or nothing can be asked. */
export async function askItem(cli: Cli, args: Args): Promise<Args> {
  const ask = await cli.ask()
  if (ask === undefined) return args
  const isNew = cli.spec.operation?.name === 'create_catalog_item'
  if (isNew) return REQUIRED.some((flag) => args[flag] === undefined) ? askNew(cli, ask, args) : args
  const named = args['item_id'] === undefined ? await askWhich(cli, ask, args) : args
  const isSaid = CHANGED.some((flag) => named[flag] !== undefined)
  return named['item_id'] !== undefined && !isSaid ? askChanges(cli, ask, named) : named
}

const REQUIRED = ['name', 'price', 'category'] as const
const CHANGED = ['name', 'description', 'price', 'category', 'modifiers'] as const

/** Lets a merchant choose the item; a menu that cannot be read leaves the question for its name. */
async function askWhich(cli: Cli, ask: Ask, args: Args): Promise<Args> {
  const catalogue = await orNone(listOwnItems(await cli.client()))
  if (catalogue.length === 0) return args
  const id = await ask.select({
    message: 'Which item?',
    choices: catalogue.map(({ item_id, name, price, category }) => ({
      value: item_id,
      name: `${name}, ${spellMoney(price)}`,
      description: category.name,
    })),
  })
  cli.answered.push({ flag: id })
  return { ...args, item_id: id }
}

async function askNew(cli: Cli, ask: Ask, args: Args): Promise<Args> {
  const catalogue = await readMenu(cli, args)
  const currency = catalogue[0]?.price.currency ?? 'GBP'
  const answers: Record<string, string> = {}
  const take = async (flag: string, question: () => Promise<string>): Promise<void> => {
    if (args[flag] !== undefined) return
    const answer = (await question()).trim()
    if (answer === '') return
    answers[flag] = answer
    cli.answered.push({ flag: `--${flag}`, value: answer })
  }
  await take('name', () => ask.input({ message: 'What is it called?', validate: notEmpty }))
  await take('price', () => askPrice(ask, currency))
  await take('category', () => askCategory(ask, catalogue))
  await take('description', () => ask.input({ message: 'What is it, in a few words? Empty for nothing' }))
  await take('modifiers', () => askChoices(ask, currency))
  return { ...args, ...answers }
}

async function askChanges(cli: Cli, ask: Ask, args: Args): Promise<Args> {
  const { findItem } = await import('./find-item.ts')
  const { itemId, item } = await findItem(await cli.client(), text(args, 'item_id') ?? '')
  if (item === undefined) return args
  const catalogue = await readMenu(cli, args)
  const answers: Record<string, string> = {}
  for (;;) {
    const field = await askWhatChanges(ask, item, answers)
    if (field === DONE) break
    const answer = (await askField(ask, field, item, catalogue)).trim()
    if (answer !== '') answers[field] = answer
  }
  if (Object.keys(answers).length === 0)
    throw new AppError('not_confirmed', 'Nothing was chosen; nothing changed.')
  for (const [flag, value] of Object.entries(answers)) cli.answered.push({ flag: `--${flag}`, value })
  return { ...args, item_id: itemId, ...answers }
}

/** The member that is to change, or DONE: first, once something has changed. */
function askWhatChanges(
  ask: Ask,
  { name, price, category, description }: CatalogItem,
  answers: Readonly<Record<string, string>>,
): Promise<string> {
  const isChanged = Object.keys(answers).length > 0
  const members = [
    { value: 'price', name: `price (${answers['price'] ?? spellMoney(price)})` },
    { value: 'name', name: `name (${answers['name'] ?? name})` },
    { value: 'category', name: `category (${answers['category'] ?? category.name})` },
    { value: 'description', name: `description (${answers['description'] ?? description ?? 'none'})` },
    { value: 'modifiers', name: 'all its choices' },
  ]
  return ask.select({
    message: isChanged ? `${name}: what else changes?` : `${name}: what changes?`,
    choices: isChanged
      ? [{ value: DONE, name: 'nothing else' }, ...members]
      : [...members, { value: DONE, name: 'nothing' }],
  })
}

async function askField(
  ask: Ask,
  field: string,
  { name, price, description, modifier_groups: groups }: CatalogItem,
  catalogue: readonly CatalogItem[],
): Promise<string> {
  switch (field) {
    case 'price':
      return askPrice(ask, price.currency)
    case 'category':
      return askCategory(ask, catalogue)
    case 'modifiers':
      return askChoices(ask, price.currency, writeGroups(groups))
    case 'name':
      return ask.input({ message: 'What is it called?', default: name, validate: notEmpty })
    default:
      return ask.input({ message: 'What is it, in a few words?', default: description ?? '' })
  }
}

function askPrice(ask: Ask, currency: string): Promise<string> {
  return ask.input({
    message: `What does it cost? In ${currency}, such as 8.50`,
    validate(typed) {
      const money = parseMoney(typed, currency)
      return 'problem' in money ? money.detail : undefined
    },
  })
}

/** A section of the menu, or the name of a new one. */
async function askCategory(ask: Ask, catalogue: readonly CatalogItem[]): Promise<string> {
  const sections = [...new Set(catalogue.map(({ category }) => category.name))]
  const chosen =
    sections.length === 0
      ? ANOTHER
      : await ask.select({
          message: 'In which section of the menu?',
          choices: [
            ...sections.map((name) => ({ value: name, name })),
            { value: ANOTHER, name: 'a new one' },
          ],
        })
  if (chosen !== ANOTHER) return chosen
  return ask.input({ message: 'What is the new section called?', validate: notEmpty })
}

/** `present` is offered, so that nobody types again what stays. */
function askChoices(ask: Ask, currency: string, present = ''): Promise<string> {
  return ask.input({
    ...(present === ''
      ? { message: 'What can be chosen? Such as Size[1-1]: Small=0 | Large=1.50; empty for nothing' }
      : { message: 'What can be chosen? What you leave out is removed', default: present }),
    validate(typed) {
      if (typed.trim() === '') return undefined
      const read = readGroups(typed, currency)
      return 'fault' in read ? read.fault.detail : undefined
    },
  })
}

function notEmpty(typed: string): string | undefined {
  return typed.trim() === '' ? 'Please type something.' : undefined
}

/** The menu, for its sections and its currency; empty for a credential that may only write. */
async function readMenu(cli: Cli, args: Args): Promise<CatalogItem[]> {
  return orNone(listCatalogue(await cli.client(), text(args, 'merchant')))
}

async function orNone(items: Promise<CatalogItem[]>): Promise<CatalogItem[]> {
  try {
    return await items
  } catch (error) {
    if (error instanceof AppError && error.code === 'insufficient_scope') return []
    throw error
  }
}
