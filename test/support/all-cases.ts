/** The cases of all areas, from their files: a new area or operation is on no list here. */
import { type Area, AREAS } from '../../src/core/areas.ts'
import type { AreaCases } from './cases.ts'

/** The cases of each area, by its name. */
export const AREA_CASES = Object.fromEntries(
  await Promise.all(
    Object.keys(AREAS).map(async (area) => {
      const { cases } = (await import(`../areas/${area}/cases.ts`)) as { cases: AreaCases }
      return [area, cases] as const
    }),
  ),
) as Readonly<Record<Area, AreaCases>>

const all = Object.values(AREA_CASES)

export const OPERATION_CASES: Readonly<Record<string, AreaCases['operations']['get_ride']>> = Object.assign(
  {},
  ...all.map(({ operations }) => operations),
)
/** Quotes are those of no area alone. */
const QUOTE = { quote_id: { nobodys: 'quo_01m7vkystge8kbcf2tpy8vep2a', missing: 'quote_not_found' } }
export const ID_CASES: AreaCases['ids'] = Object.assign({}, QUOTE, ...all.map(({ ids }) => ids))
