import type { Tx } from '../../../core/db.ts'
import { AppError } from '../../../core/errors.ts'
import { foldForSearch } from '../../../core/fold.ts'
import { newIds } from '../../../db/counters.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { type CategoryRecord, insertCategories, listCategories } from '../queries/catalog.ts'
import { sectionName, type SectionWanted } from '../rules/item-changes.ts'

/** A store's sections, by id or by name. */
export type Sections = {
  /** The section meant; undefined when there is none of that name. Throws `invalid_request` on an id of no section. */
  find(given: SectionWanted): CategoryRecord | undefined
  /** The key by which items of that section are told apart from others. */
  keyOf(given: SectionWanted): string
  all: CategoryRecord[]
}

const CATEGORY_ID = /^cat_[0-7][0-9a-hjkmnp-tv-z]{25}$/

export async function loadSections(tx: Tx, merchantId: string): Promise<Sections> {
  const all = await listCategories(tx, merchantId)
  const find = (given: SectionWanted): CategoryRecord | undefined => {
    const name = sectionName(given).trim()
    const key = foldForSearch(name)
    const byId = typeof given === 'string' ? undefined : given.category_id
    const found =
      all.find(({ category_id }) => category_id === byId) ??
      all.find(({ category_id, name_key }) => category_id === name || name_key === key)
    if (found !== undefined || !CATEGORY_ID.test(name)) return found
    const detail = `The store has no category ${name}.`
    throw new AppError('invalid_request', detail, {
      errors: [
        { pointer: '/category', code: 'invalid_enum', detail: `category ${name} is not of this store` },
      ],
    })
  }
  return { all, find, keyOf: (given) => find(given)?.name_key ?? foldForSearch(sectionName(given)) }
}

/** The greatest place that a request may name: what is put behind it shares it. */
export const LAST_PLACE = 1_000_000

/** Makes the sections that are named and not there yet, behind the others unless told where. */
export async function addSections(
  { tx, world }: Pick<ChangeContext, 'tx' | 'world'>,
  { merchant_id, at }: { merchant_id: string; at: number },
  sections: Sections,
  wanted: readonly { category: SectionWanted; category_sort?: number }[],
): Promise<void> {
  const missing = new Map<string, { name: string; sort: number | undefined }>()
  for (const { category, category_sort } of wanted) {
    if (sections.find(category) !== undefined) continue
    const name = sectionName(category).trim()
    const sort = category_sort ?? (typeof category === 'string' ? undefined : category.sort_order)
    const before = missing.get(foldForSearch(name))
    missing.set(foldForSearch(name), { name: before?.name ?? name, sort: before?.sort ?? sort })
  }
  if (missing.size === 0) return
  const ids = await newIds({ tx, world, at }, 'cat', missing.size)
  let last = Math.max(0, ...sections.all.map(({ sort_order }) => sort_order))
  const made = [...missing].map(
    ([name_key, { name, sort = Math.min(last + 1, LAST_PLACE) }], index): CategoryRecord => {
      last = Math.max(last, sort)
      return {
        category_id: ids[index] ?? '',
        merchant_id,
        name,
        name_key,
        sort_order: sort,
        schedule: null,
      }
    },
  )
  await insertCategories(tx, made)
  sections.all.push(...made)
}
