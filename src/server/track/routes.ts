/**
 * The routes of shared links: their owner makes and withdraws them with a token; whoever has one sees a page. An unknown,
 * a withdrawn and an expired link have the same response.
 */
import type { IncomingMessage } from 'node:http'
import { isLabelShared, type LabelFields } from '../../areas/carrier/label/label.ts'
import { usualDpi } from '../../areas/carrier/label/parameters.ts'
import { PRESENTERS } from '../../areas/presenters.ts'
import { AppError } from '../../core/errors.ts'
import { CALENDAR_MEDIA_TYPE, type CalendarEntry, formatCalendar } from '../../core/icalendar.ts'
import { networkOf } from '../../core/network.ts'
import { presentResource, type PresentableResource, type ResourceView } from '../../core/presenter.ts'
import type { SharedView } from '../../core/shared-view.ts'
import { parseStrictJson } from '../../core/strict-json.ts'
import { commonHeaders } from '../../gateway/gateway.ts'
import type { GatewayResponse } from '../../gateway/request.ts'
import { WEB } from '../../generated/web.ts'
import { SHOWN_AFTER_END_MS } from '../../oauth/shared-links.ts'
import { renderLabelsInWorker } from '../../workers/labels.ts'
import { readCredential } from '../bearer.ts'
import { makeIpLimit } from '../ip-limit.ts'
import type { IpLimit } from '../ip-limit.ts'
import { jsonAnswer } from '../json-response.ts'
import { LABEL_MEDIA_TYPES } from '../label/media-types.ts'
import { readClientAddress } from '../origin.ts'
import type { EventBroadcaster } from '../pages/event-broadcaster.ts'
import { renderPageDocument } from '../pages/layout.ts'
import type { PageDocument } from '../pages/layout.ts'
import { POLICY } from '../pages/policy.ts'
import type { HandlerRequest, Route, RouteDeps, RouteLogFields } from '../route.ts'
import type { OpenLink } from './backend.ts'
import { gonePage, refusedPage, sharedPage } from './layout.ts'
import { findEndTime, sharedView } from './view.ts'

export type ShareDeps = Pick<RouteDeps, 'shares' | 'media' | 'serviceTime'>

const BODY_LIMIT = 1024
const SECRET = /^dray_shr_[\w-]{43}$/
/** Unknown links that an address may try in a minute. */
const GUESSES = 30
/** The reads of one link that an address may make in a minute. Those of other addresses and links are not affected. */
const READS = 120

/** The wrong links of each address, and its reads of each link. */
type Limits = { guesses: IpLimit; reads: IpLimit }

/** Returns the routes of shared links. */
export function trackRoutes(deps: ShareDeps, hub: EventBroadcaster): Route[] {
  const limits = {
    guesses: makeIpLimit({ name: 'links', points: GUESSES, seconds: 60 }),
    reads: makeIpLimit({ name: 'link reads', points: READS, seconds: 60 }),
  }
  return [
    shareRoute(deps),
    withdrawRoute(deps, hub),
    pageRoute(deps, limits),
    stateRoute(deps, limits),
    pictureRoute(deps, limits),
    labelRoute(deps, limits),
    calendarRoute(deps, limits),
    eventsRoute(deps, limits, hub),
  ]
}

function shareRoute({ shares, serviceTime }: ShareDeps): Route {
  return {
    name: 'share_link',
    method: 'POST',
    path: '/v1/shared-links',
    crossOrigin: 'allowed',
    async answer({ raw, requestId, readBody }, note) {
      const { account, ...made } = await shares.share(readCredential(raw), readId(await readBody(BODY_LIMIT)))
      recordLinkOwner(note, account)
      return jsonAnswer(requestId, await serviceTime(), JSON.stringify(made), 201)
    },
  }
}

function readId(bytes: Uint8Array): string {
  const parsed = parseStrictJson(bytes)
  if ('problem' in parsed) throw new AppError('malformed_json', parsed.problem)
  const id: unknown = (parsed.value as { resource_id?: unknown } | null)?.resource_id
  if (typeof id === 'string' && id !== '' && id.length <= 60) return id
  throw new AppError(
    'invalid_request',
    'The body must be {"resource_id": "…"}, the ID of the shared resource.',
  )
}

function recordLinkOwner(note: RouteLogFields, account: string): void {
  note.account = account
  note.caller = account
}

function withdrawRoute({ shares, serviceTime }: ShareDeps, hub: EventBroadcaster): Route {
  return {
    name: 'withdraw_links',
    method: 'DELETE',
    path: '/v1/shared-links/{resource_id}',
    crossOrigin: 'allowed',
    async answer({ raw, params, requestId }, note) {
      const { account, resource_id, ended } = await shares.withdraw(
        readCredential(raw),
        params['resource_id'] ?? '',
      )
      recordLinkOwner(note, account)
      for (const id of ended) hub.end(id)
      const value = { resource_id, withdrawn: ended.length }
      return jsonAnswer(requestId, await serviceTime(), JSON.stringify(value))
    },
  }
}

/** A resource as its link shows it now, with what only its server may know of it. */
type SharedResource = {
  link: OpenLink
  resource: Partial<LabelFields>
  view: SharedView
  calendar: CalendarEntry | undefined
  pictures: readonly string[]
  time: string
}

/** Returns what a link shows; undefined for one that is unknown, withdrawn or over. Throws `rate_limited`. */
async function see(
  { shares }: ShareDeps,
  { guesses, reads }: Limits,
  { raw, params }: Pick<HandlerRequest, 'raw' | 'params'>,
  note: RouteLogFields,
): Promise<SharedResource | undefined> {
  const link = await find(shares, guesses, { raw, secret: params['link'] ?? '' })
  if (link === undefined) return undefined
  note.caller = `link ${link.id}`
  const wait = await reads.take(`${link.id} ${networkOf(readClientAddress(raw))}`)
  if (wait !== undefined)
    throw new AppError('rate_limited', 'Too many requests for this link.', {
      hint: `Try again in ${wait} s.`,
    })
  const answer = await shares.read(link)
  if (answer.status >= 500) throw new AppError('service_unavailable', 'The server is not available now.')
  // The account is gone, or lost what the resource needs.
  if (answer.status !== 200) return undefined
  const seen = await presentShared(link, answer)
  const end = findEndTime(seen.view)
  return end !== undefined && seen.now - end > SHOWN_AFTER_END_MS ? undefined : seen
}

/** Returns what a link shows of the answer that its owner would get. */
async function presentShared(
  link: OpenLink,
  answer: GatewayResponse,
): Promise<SharedResource & { now: number }> {
  const time = answer.headers['Service-Time'] ?? ''
  const now = Date.parse(time.slice(0, time.indexOf(';')))
  const story = await PRESENTERS[link.kind]()
  const resource = JSON.parse(answer.body) as PresentableResource & Partial<LabelFields>
  const telling = presentResource(story, resource, now)
  const calendar = story.calendar(resource)?.entry
  const view = {
    ...sharedView(story.resource.shared ?? link.kind, telling),
    ...(isLabelShared(resource) && { label: true }),
    ...(calendar !== undefined && isAhead(calendar, telling, now) && { calendar: true }),
  }
  return { link, resource, view, calendar, pictures: telling.proof?.pictures ?? [], time, now }
}

function isAhead({ starts_at }: CalendarEntry, { isFinal }: ResourceView, now: number): boolean {
  return !isFinal && Date.parse(starts_at) > now
}

async function find(
  shares: ShareDeps['shares'],
  guesses: IpLimit,
  { raw, secret }: { raw: IncomingMessage; secret: string },
): Promise<OpenLink | undefined> {
  const link = SECRET.test(secret) ? await shares.open(secret) : undefined
  // A right link is always shown: the wrong ones may be those of a neighbour behind the same address.
  if (link !== undefined) return link
  const wait = await guesses.take(readClientAddress(raw))
  if (wait === undefined) return undefined
  throw new AppError('rate_limited', 'This address tried too many links that lead nowhere.', {
    hint: `Try again in ${wait} s.`,
  })
}

function pageRoute(deps: ShareDeps, limits: Limits): Route {
  return {
    name: 'shared_page',
    method: 'GET',
    path: '/track/{link}',
    async answer(incoming, note) {
      const seen = await see(deps, limits, incoming, note)
      const shown = seen === undefined ? gonePage() : sharedPage(seen.view, seen.time)
      return toAnswer(incoming.requestId, seen?.time ?? (await deps.serviceTime()), shown)
    },
    refusal: ({ entry, message }, requestId) =>
      toAnswer(requestId, undefined, refusedPage(entry.status ?? 500, entry.title, message)),
  }
}

function toAnswer(requestId: string, time: string | undefined, shown: PageDocument): GatewayResponse {
  return {
    status: shown.status,
    headers: privateHeaders(requestId, time, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': POLICY,
      'Cross-Origin-Opener-Policy': 'same-origin',
    }),
    body: renderPageDocument(shown, undefined),
  }
}

/** The address of the page is its secret. */
const PRIVATE = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex', 'Cache-Control': 'no-store' }

/** Returns the headers of a response under the address of a link. */
function privateHeaders(
  requestId: string,
  time: string | undefined,
  own: Record<string, string>,
): Record<string, string> {
  return { ...commonHeaders(requestId, time), ...PRIVATE, ...own }
}

function stateRoute(deps: ShareDeps, limits: Limits): Route {
  return {
    name: 'shared_state',
    method: 'GET',
    path: '/track/{link}/state',
    async answer(incoming, note) {
      const { view, time } = existing(await see(deps, limits, incoming, note))
      const answer = jsonAnswer(incoming.requestId, time, JSON.stringify(view))
      return { ...answer, headers: { ...answer.headers, ...PRIVATE } }
    },
  }
}

function existing<T>(found: T | undefined): T {
  if (found !== undefined) return found
  throw new AppError('route_not_found', 'This link leads nowhere.')
}

/** A photo of the proof or the evidence, by its number from 0: its own id would let its owner's token fetch it elsewhere. */
function pictureRoute(deps: ShareDeps, limits: Limits): Route {
  return {
    name: 'shared_picture',
    method: 'GET',
    path: '/track/{link}/pictures/{number}',
    async answer(incoming, note) {
      const { link, pictures, time } = existing(await see(deps, limits, incoming, note))
      const picture = existing(pictures[Number(incoming.params['number'])])
      const { contentType, bytes } = await deps.media({ account: link.account }, picture)
      return {
        status: 200,
        headers: privateHeaders(incoming.requestId, time, {
          'Content-Type': contentType,
          'X-Content-Type-Options': 'nosniff',
        }),
        body: bytes,
      }
    },
  }
}

/** The label of a return, for the recipient who sends it back. Other parcels' labels have private addresses. */
function labelRoute(deps: ShareDeps, limits: Limits): Route {
  return {
    name: 'shared_label',
    method: 'GET',
    path: '/track/{link}/label',
    async answer(incoming, note) {
      const { link, resource, view, time } = existing(await see(deps, limits, incoming, note))
      existing(view.label)
      const parcels = [resource as LabelFields]
      const style = { size: '4x6', start: 1, format: 'pdf', dpi: Number(usualDpi('pdf')) } as const
      const bytes = await renderLabelsInWorker({ title: 'Return label', parcels, ...style }, link.account)
      return {
        status: 200,
        headers: privateHeaders(incoming.requestId, time, {
          'Content-Type': LABEL_MEDIA_TYPES.pdf,
          'Content-Disposition': 'inline; filename="return-label.pdf"',
        }),
        body: bytes,
      }
    },
  }
}

/** The visit for a calendar, at its present time: a calendar that reads it again sees that it was moved or called off. */
function calendarRoute(deps: ShareDeps, limits: Limits): Route {
  return {
    name: 'shared_calendar',
    method: 'GET',
    path: '/track/{link}/calendar',
    async answer(incoming, note) {
      const { calendar, time } = existing(await see(deps, limits, incoming, note))
      return {
        status: 200,
        headers: privateHeaders(incoming.requestId, time, {
          'Content-Type': CALENDAR_MEDIA_TYPE,
          'Content-Disposition': 'attachment; filename="visit.ics"',
        }),
        body: formatCalendar(existing(calendar)),
      }
    },
  }
}

function eventsRoute({ shares }: ShareDeps, { guesses }: Limits, hub: EventBroadcaster): Route {
  return {
    name: 'shared_events',
    method: 'GET',
    path: '/track/{link}/events',
    async answer({ raw, params, requestId }, note) {
      const link = existing(await find(shares, guesses, { raw, secret: params['link'] ?? '' }))
      note.caller = `link ${link.id}`
      return {
        status: 200,
        headers: privateHeaders(requestId, undefined, {
          'Content-Type': 'text/event-stream; charset=utf-8',
          // nginx would keep it back until there is more.
          'X-Accel-Buffering': 'no',
        }),
        body: hub.follow(link, WEB.track.script),
      }
    },
  }
}
