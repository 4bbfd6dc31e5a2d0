/** The menu that a new store starts from: `dray business catalog template`. */
import { COLUMNS } from './columns.ts'
import menu from './menu.json' with { type: 'json' }

export const TEMPLATE_COLUMNS = COLUMNS.flatMap(({ name, helps, exported }) =>
  helps !== undefined || exported !== undefined ? [] : [name],
)

/** Five items that are valid as they stand. */
export const EXAMPLES = menu.template.join('\n')
