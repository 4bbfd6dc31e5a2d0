/** The calls of a shared page: it asks for the present state of its one resource. Times are those of this browser. */
import type { SharedView } from '../../core/shared-view.ts'
import { ConnectionLostError, readTime } from '../core/call.ts'
import type { ServiceTime } from '../core/call.ts'

/** The link leads nowhere any more. */
export class LinkGoneError extends Error {}

const LIMIT_MS = 20_000

/** Returns the present state and the service's time. Throws `Lost`, `Gone`. */
export async function loadState(path: string): Promise<{ view: SharedView; time: ServiceTime | undefined }> {
  let response: Response
  try {
    response = await fetch(`${path}/state`, { signal: AbortSignal.timeout(LIMIT_MS) })
    if (response.ok)
      return {
        view: (await response.json()) as SharedView,
        time: readTime(response.headers.get('Service-Time')),
      }
  } catch {
    throw new ConnectionLostError('The server does not respond.')
  }
  if (response.status === 404) throw new LinkGoneError('This link does not work.')
  throw new ConnectionLostError('The server is not available now.')
}

/** `14:05`, with the day when it is another one than that of `now`. */
export function timeText(at: string, now: number): string {
  const date = new Date(at)
  const time = { hour: '2-digit', minute: '2-digit' } as const
  const day = { weekday: 'short', day: 'numeric', month: 'short' } as const
  const isToday = date.toDateString() === new Date(now).toDateString()
  return new Intl.DateTimeFormat('en-GB', isToday ? time : { ...day, ...time }).format(date)
}

/** `Friday 27 November`: a day of the calendar, which is the same everywhere. */
export function dayText(date: string): string {
  const form = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat('en-GB', form).format(new Date(`${date}T00:00:00Z`))
}

/** `in 12 min`, `now`; undefined for one that is not within two hours. */
export function untilText(at: string, now: number): string | undefined {
  const minutes = Math.round((Date.parse(at) - now) / 60_000)
  if (minutes > 120) return undefined
  if (minutes >= 1) return `in ${minutes} min`
  return minutes > -5 ? 'any moment' : undefined
}
