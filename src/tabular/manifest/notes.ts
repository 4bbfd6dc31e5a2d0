/** Notes for people about how a file was read: whole sentences, shown before anything is sent. */
import { doubtLines, doubtTown } from '../../core/places/town.ts'
import type { ImportNote } from '../columns/outcomes.ts'
import { truncate } from '../csv/cells.ts'
import { pluralize, joinFirst, pluralizeList } from '../wording.ts'
import type { ManifestRow } from './outcomes.ts'

/** The words for the columns of a contact. */
export const CONTACTS = { phone: 'telephone number', email: 'e-mail address' } as const

export type ContactColumn = keyof typeof CONTACTS

/** A cell of which only a part was read, or nothing where `value` is undefined. */
export type DoubtfulContact = { column: ContactColumn; row: number; text: string; value: string | undefined }

/** Contacts that were shortened or skipped: their parcels are created all the same. */
export function describeContacts(doubtful: readonly DoubtfulContact[]): ImportNote[] {
  const groups = Map.groupBy(doubtful, ({ column, value }) => `${column} ${value === undefined}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const one = CONTACTS[first.column]
    const done =
      first.value === undefined
        ? 'could not be read and {is|are} left out; the parcels are created without'
        : '{is|are} the first of {its cell|their cells}'
    const which = pluralize(group.length, `{1 ${one}|# ${one}${one.endsWith('s') ? 'es' : 's'}} ${done}`)
    const told = group.map(({ row, text, value }) => {
      const read = value === undefined ? '' : ` as ${value}`
      return `row ${row} ${JSON.stringify(truncate(text, 40))}${read}`
    })
    return [{ kind: 'warning', text: `${which}: ${joinFirst(told, 5, '; ')}.` }]
  })
}

/** Towns far from their postcodes, and other postcodes in an address: one of the two is wrong, and only a person knows which. */
export function describeTowns(parcels: readonly ManifestRow[]): ImportNote[] {
  const far = parcels.flatMap(({ row, draft }) => {
    const address = draft?.recipient.address
    const doubt = address && (doubtLines(address) ?? doubtTown(address))
    return doubt === undefined ? [] : [`row ${row}: ${doubt}`]
  })
  const form = 'The town and the postcode of {1 address|# addresses} do not fit together: {}.'
  return pluralizeList(far, form, 5, '; ').map((text) => ({ kind: 'warning', text }))
}

/**
 * Service words that name no level, with the number of their parcels: these go by `level`, or their rows are rejected until
 * somebody says what the words stand for.
 */
export function describeServices(
  words: ReadonlyMap<string, number>,
  header: string,
  level: string | undefined,
): ImportNote[] {
  const [first] = words.keys()
  if (first === undefined) return []
  const said = joinFirst(
    [...words].map(([word, count]) => `${JSON.stringify(truncate(word, 40))} (${count})`),
  )
  const done = level === undefined ? 'rows are not sent' : `parcels go by ${level}`
  const text = `${header} has no known service level in ${said}; these ${done}`
  const example = JSON.stringify(`service_level:${truncate(first, 40)}=economy`)
  const remedy =
    level === undefined
      ? `. Say what a word stands for: --map-value ${example}.`
      : ', which --service changes.'
  return [{ kind: 'warning', text: `${text}.`, typed: `${text}${remedy}` }]
}
