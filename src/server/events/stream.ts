/** The events of an account as a stream (Server-Sent Events): each is a message, as webhooks send it. */
import { EVENT_TYPES } from '../../areas/account/webhooks.ts'
import { AppError, fromProblem } from '../../core/errors.ts'
import { EVENT_POSITION_PATTERN, type NewBeginning, orNewBeginning } from '../../core/event-position.ts'
import { renderEvent } from '../../gateway/event-message.ts'
import { commonHeaders } from '../../gateway/gateway.ts'
import type { Credential } from '../../gateway/request.ts'
import { readCredential } from '../bearer.ts'
import type { Route, RouteDeps, RouteLogFields } from '../route.ts'
import type { EventStream } from '../streams.ts'

const POLL_MS = 1000
/** A comment now and then keeps the connection open. */
const BEAT_POLLS = 15

type Deps = Pick<RouteDeps, 'gateway' | 'onBug'>
type EventBatch = {
  data: readonly { position: string; type: string; timestamp: string; resource_id: string }[]
  last: string
  has_more: boolean
}

/**
 * Returns the route. A reader that comes back sends the id of its last event as `Last-Event-ID`. Where the store began again since,
 * the stream says so by one event `reset`, and goes on from the beginning of that.
 */
export function eventStreamRoute(deps: Deps): Route {
  return {
    name: 'event_stream',
    method: 'GET',
    path: '/v1/events/stream',
    crossOrigin: 'allowed',
    async answer({ raw, requestId }, note) {
      const credential = readCredential(raw)
      const { 'last-event-id': given } = raw.headers
      const after = readPosition(given)
      // It rejects what the list refuses, before the stream begins.
      const start = await orNewBeginning(listAfter(deps, credential, after, note))
      return {
        status: 200,
        headers: {
          ...commonHeaders(requestId, undefined),
          'Content-Type': 'text/event-stream; charset=utf-8',
          'Cache-Control': 'no-store',
          'X-Accel-Buffering': 'no',
        },
        body: streamOf(
          deps,
          { credential, caller: note.caller ?? '' },
          'first' in start ? start : { after: after ?? start.last },
        ),
      }
    },
  }
}

const POSITION = new RegExp(EVENT_POSITION_PATTERN)

function readPosition(given: string | string[] | undefined): string | undefined {
  if (given === undefined || given === '') return undefined
  if (POSITION.test(String(given))) return String(given)
  throw new AppError('invalid_request', 'Last-Event-ID must be the id of an event of this stream.')
}

/** The position after which a stream begins, or the one to which a reader is sent back. */
type Start = { after: string } | NewBeginning

function streamOf(
  deps: Deps,
  { credential, caller }: { credential: Credential | undefined; caller: string },
  start: Start,
): EventStream {
  return {
    caller,
    open(write, end) {
      let [after, polls, stopped] = ['first' in start ? start.first : start.after, 0, false]
      const beginAgain = ({ first }: NewBeginning): void => {
        after = first
        write(`id: ${first}\nevent: reset\ndata: ${JSON.stringify({ type: 'reset', first })}\n\n`)
      }
      let timer: NodeJS.Timeout | undefined
      const turn = async (): Promise<void> => {
        const listed = await orNewBeginning(listAfter(deps, credential, after))
        if (stopped) return
        if ('first' in listed) {
          beginAgain(listed)
          timer = setTimeout(run, 0)
          return
        }
        const { data, last, has_more } = listed
        for (const event of data) {
          const type = EVENT_TYPES.get(event.type)
          const body = type && (await renderEvent(deps.gateway, credential, type, event))
          if (stopped) return
          if (body !== undefined) write(`id: ${event.position}\nevent: ${event.type}\ndata: ${body}\n\n`)
        }
        after = last
        if (++polls % BEAT_POLLS === 0) write(': beat\n\n')
        if (!stopped) timer = setTimeout(run, has_more ? 0 : POLL_MS)
      }
      const run = (): void =>
        void turn().catch((error: unknown) => {
          // The credential has ended, or the service is: the reader comes back and is told.
          if (!(error instanceof AppError)) deps.onBug(error, 'events')
          end()
        })
      write('retry: 2000\n\n')
      if ('first' in start) beginAgain(start)
      run()
      return () => {
        stopped = true
        clearTimeout(timer)
      }
    },
  }
}

/** Lists the events after a position. Throws the error of `list_account_events`: `position_gone` says where to begin again. */
async function listAfter(
  { gateway }: Deps,
  credential: Credential | undefined,
  after: string | undefined,
  note?: RouteLogFields,
): Promise<EventBatch> {
  const { status, body } = await gateway.invoke({
    operation: 'list_account_events',
    credential,
    http: {
      params: {},
      query: after === undefined ? '' : `after=${after}`,
      contentType: undefined,
      hasBody: false,
      readBody: async () => new Uint8Array(),
      onCaller: (id) => note && Object.assign(note, { account: id, caller: id }),
    },
    uncounted: true,
    silent: true,
  })
  const value: unknown = JSON.parse(body)
  if (status >= 400) throw fromProblem(value) ?? new AppError('internal_error', 'The events cannot be read.')
  return value as EventBatch
}
