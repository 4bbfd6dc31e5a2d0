/** The parameters of a label's address. */
import { AppError } from '../../../core/errors.ts'
import { LABEL_SIZES } from './sheets.ts'

export const LABEL_PATH = '/v1/shipments/{tracking_number}/label'

/** Each parameter with its values, and the one that is meant when it is omitted; that of `dpi` is `usualDpi`. */
export const LABEL_PARAMETERS = {
  format: { values: ['pdf', 'zpl', 'png'], usual: 'pdf', means: 'Label format' },
  size: {
    // Four labels on a sheet are of several parcels.
    values: LABEL_SIZES.filter((size) => size !== 'a4'),
    usual: '4x6',
    means: 'Paper size: 4 × 6 inches or A6',
  },
  dpi: {
    values: ['203', '300'],
    usual: undefined,
    means: 'Resolution of ZPL and PNG in dots per inch. Default: 203 for ZPL, 300 for PNG',
  },
} as const

type Parameters = typeof LABEL_PARAMETERS

export type LabelParameters = { [N in keyof Parameters]: Parameters[N]['values'][number] }

/** Returns the dots per inch when none are named: those of most label printers, and those of a picture to be printed. */
export function usualDpi(format: LabelParameters['format']): LabelParameters['dpi'] {
  return format === 'zpl' ? '203' : '300'
}

/** Throws `invalid_request` with every parameter that is unknown, repeated or has another value. */
export function parseLabelParameters(query: string): LabelParameters {
  const given = new URLSearchParams(query)
  const errors = [...new Set(given.keys())].flatMap((name) => problemOf(name, given.getAll(name)) ?? [])
  const [first] = errors
  if (first !== undefined) throw new AppError('invalid_request', first.detail, { errors })
  const chosen = Object.entries(LABEL_PARAMETERS).map(([name, { usual }]) => [name, given.get(name) ?? usual])
  const { dpi, ...style } = Object.fromEntries(chosen) as Omit<LabelParameters, 'dpi'> &
    Partial<LabelParameters>
  return { ...style, dpi: dpi ?? usualDpi(style.format) }
}

function problemOf(name: string, given: readonly string[]) {
  const parameter = name.slice(0, 60)
  if (!Object.hasOwn(LABEL_PARAMETERS, name))
    return { parameter, code: 'unknown_member', detail: `${parameter} is not a label parameter.` } as const
  const values: readonly string[] = LABEL_PARAMETERS[name as keyof Parameters].values
  if (given.length === 1 && values.includes(given[0] ?? '')) return undefined
  return { parameter, code: 'invalid_enum', detail: `${parameter} is one of ${values.join(', ')}.` } as const
}
