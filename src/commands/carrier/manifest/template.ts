/** The manifest that a new shipper starts from: `dray carrier template`. */
import { COLUMNS } from '../../../rows/manifest/columns.ts'
import manifest from '../../../rows/manifest/manifest.json' with { type: 'json' }

export const TEMPLATE_COLUMNS = COLUMNS.flatMap(({ name, helps }) =>
  helps === undefined && name !== 'dimensions' ? [name] : [],
)

/** Five parcels that are valid as they stand. */
export const EXAMPLES = manifest.template.join('\n')
