/** Which one is meant: an id, `last`, or the last one without either. */
import { AppError } from '../../core/errors.ts'
import type { Cli } from '../cli.ts'
import { type Args, text } from '../command.ts'
import { lastCreated } from './created.ts'

type Kind = {
  /** What is said when there is none. */
  none: string
  /** What creates one. */
  created: string
  /** What lists them, newest first, where the interface has such a list. */
  list?: string
  hint: string
}

const KINDS: Readonly<Record<string, Kind>> = {
  ride_id: {
    none: 'Which ride? None was requested yet.',
    created: 'request_ride',
    list: 'list_rides',
    hint: '`dray rides request` requests one.',
  },
  delivery_id: {
    none: 'Which delivery? None was asked for from here yet.',
    created: 'request_delivery',
    hint: '`dray delivery request` sends a courier; `dray food show` names the delivery of an order.',
  },
  booking_id: {
    none: 'Which booking? None was made from here yet.',
    created: 'book_service',
    hint: '`dray services book` books somebody; `dray recent` lists what was booked from here.',
  },
  task_id: {
    none: 'Which task? None was created from here yet.',
    created: 'create_task',
    hint: '`dray tasks create` has something done.',
  },
}

/** The id that `field` means: as typed, else of the last one. Throws AppError('usage') when there is none. */
export async function namedOrLast(cli: Cli, args: Args, field: string): Promise<string> {
  const typed = text(args, field)
  const kind = KINDS[field]
  if (kind === undefined || (typed !== undefined && typed !== 'last')) return typed ?? ''
  const id = lastCreated(cli, kind.created)?.id ?? (await lastListed(cli, kind, field))
  if (id !== undefined) return id
  throw new AppError('usage', kind.none, { hint: kind.hint })
}

async function lastListed(cli: Cli, { list }: Kind, field: string): Promise<string | undefined> {
  if (list === undefined) return undefined
  const { value } = await (await cli.client()).call(list, { limit: 1 })
  const id = (value as { data: Record<string, unknown>[] }).data[0]?.[field]
  return typeof id === 'string' ? id : undefined
}
