/** The labels of parcels as a file, for a page: a browser asks for it by its cookie. */
import { hasLabel, type LabelFields } from '../../areas/carrier/label/label.ts'
import { LABEL_PARAMETERS, usualDpi } from '../../areas/carrier/label/parameters.ts'
import { LABEL_SIZES, LABEL_SHEET_PLACES } from '../../areas/carrier/label/sheets.ts'
import { AppError } from '../../core/errors.ts'
import { commonHeaders } from '../../gateway/gateway.ts'
import type { GatewayResponse } from '../../gateway/request.ts'
import { renderLabelsInWorker } from '../../workers/labels.ts'
import { queryOf } from '../call.ts'
import { LABEL_MEDIA_TYPES } from '../label/media-types.ts'
import type { Route, RouteDeps } from '../route.ts'
import { assertOwnPage, recordSessionCaller, requireSession } from './session.ts'

/** The most parcels of one file: those of a manifest. */
const MAX_LABEL_PARCELS = 500
/** Fewer parcels than this are read one by one; those of one manifest are a few pages of a list. */
const MIN_LISTED_PARCELS = 5

/** The session gets the label of each parcel it may see, of cancelled ones only where no other remains. */
export function labelsRoute({ gateway, pages }: Pick<RouteDeps, 'gateway' | 'pages'>): Route {
  return {
    name: 'page_labels',
    method: 'GET',
    path: '/pages/labels',
    async answer({ raw, requestId }, note) {
      assertOwnPage(raw)
      const session = await requireSession(pages, raw, 'parcels')
      recordSessionCaller(note, session)
      const { account, scopes } = session
      const { numbers, format, size, dpi, start } = readWanted(queryOf(raw))
      const found = await findParcels(numbers, (operation, input) =>
        gateway.invoke({ operation, requestId, credential: { account: account.account_id, scopes }, input }),
      )
      if ('refused' in found) return found.refused
      const labelled = found.parcels.filter(hasLabel)
      const [first] = labelled
      if (first === undefined)
        throw new AppError('invalid_state', 'A cancelled parcel has no label; all of these are cancelled.')
      const title = labelled.length === 1 ? `Label ${first.tracking_number}` : `${labelled.length} labels`
      const bytes = await renderLabelsInWorker(
        { title, parcels: labelled, size, start: Number(start), format, dpi: Number(dpi) },
        account.account_id,
      )
      const name = labelled.length === 1 ? first.tracking_number : 'labels'
      return {
        status: 200,
        headers: {
          ...commonHeaders(requestId, undefined),
          'Content-Type': LABEL_MEDIA_TYPES[format],
          'Content-Disposition': `inline; filename="${name}.${format}"`,
        },
        body: bytes,
      }
    },
  }
}

type Parcel = LabelFields & { batch_id: string | null }
type Call = (operation: string, input: Readonly<Record<string, unknown>>) => Promise<GatewayResponse>

/** Returns the parcels in the order of their numbers, or the error of a call. */
async function findParcels(
  numbers: readonly string[],
  call: Call,
): Promise<{ parcels: Parcel[] } | { refused: GatewayResponse }> {
  const found = new Map<string, Parcel>()
  for (const number of numbers) {
    if (found.has(number)) continue
    const answer = await call('get_shipment', { tracking_number: number })
    if (answer.status !== 200) return { refused: answer }
    const parcel = JSON.parse(answer.body) as Parcel
    found.set(number, parcel)
    const { batch_id } = parcel
    if (batch_id === null || numbers.length - found.size < MIN_LISTED_PARCELS) continue
    for (let cursor: string | null | undefined; cursor !== null;) {
      const list = await call('list_shipments', { batch_id, limit: 100, ...(cursor && { cursor }) })
      if (list.status !== 200) return { refused: list }
      const { data, next_cursor } = JSON.parse(list.body) as { data: Parcel[]; next_cursor: string | null }
      for (const each of data) found.set(each.tracking_number, each)
      cursor = next_cursor
    }
  }
  return { parcels: numbers.flatMap((number) => found.get(number) ?? []) }
}

/** Throws `invalid_request`. */
function readWanted(query: string) {
  const given = new URLSearchParams(query)
  const numbers = [...new Set((given.get('parcels') ?? '').split(',').filter((each) => each !== ''))]
  if (numbers.length === 0 || numbers.length > MAX_LABEL_PARCELS)
    throw new AppError('invalid_request', `parcels must name 1 to ${MAX_LABEL_PARCELS} tracking numbers.`)
  const format = oneOf('format', given, LABEL_PARAMETERS.format.values)
  const wanted = {
    numbers,
    format,
    size: oneOf('size', given, LABEL_SIZES),
    dpi: oneOf('dpi', given, LABEL_PARAMETERS.dpi.values, usualDpi(format)),
    start: oneOf('start', given, LABEL_SHEET_PLACES),
  }
  if (wanted.format === 'png' && numbers.length > 1)
    throw new AppError('invalid_request', 'A PNG has the label of one parcel.')
  return wanted
}

/** Returns a parameter's value; the usual one is meant when it is omitted. */
function oneOf<const T extends string>(
  name: string,
  given: URLSearchParams,
  values: readonly [T, ...T[]],
  usual: T = values[0],
): T {
  const text = given.get(name) ?? usual
  const value = values.find((each) => each === text)
  if (value === undefined) throw new AppError('invalid_request', `${name} is one of ${values.join(', ')}.`)
  return value
}
