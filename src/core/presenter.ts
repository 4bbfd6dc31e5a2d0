/**
 * The words for a resource with a lifecycle. `areas/<area>/presenter.ts` says it once; each surface (a terminal, a shared page,
 * an agent's question) has one renderer for all presenters. Pure.
 */
import type { Point } from './geometry.ts'
import type { CalendarDetails, CalendarEntry } from './icalendar.ts'
import type { Money } from './money.ts'
import type { Place } from './places/place.ts'
import type { LifecycleInfo, Resource } from './resource.ts'

/** The mood of a state for a user who waits. */
export type Mood = 'waiting' | 'moving' | 'done' | 'failed'

/**
 * The words of a state: while it lasts, and as a step of the past or the future where these differ. Without a mood it
 * is that of the end, or `waiting`.
 */
export type StateWords = { now: string; done?: string; mood?: Mood }

/** A part of a text: our own words, a text by others, a place or an instant. Each surface writes the last three its way. */
export type Piece = string | { name: string } | { place: Place } | { at: string }
export type RichText = string | readonly Piece[]

/** A change. A stranger with a link sees the words and the note, which is then in place of the reason. */
export type HistoryEntry = {
  status: string
  at: string
  by: string
  reason: string | null
  words?: string
  note?: string | null
  /** The place, instead of the person. */
  place?: string
  /** The row of the interface that scripts get in place of the entry. */
  row?: object
}

/** The person or firm that is sent. */
export type AssignedWorker = {
  name: string
  /** The name is that of a firm, which is public. */
  firm?: true
  rating?: number | null
  vehicle: string | null
  plate?: string
  /** The present work of the person, where the state does not say it. */
  doing?: string
}

/** A time to wait for. */
export type Arrival = {
  /** `Arrives about`. */
  words: string
  at: string
  /** The end of its window. */
  until?: string
  /** The start of the leg that ends then, where a worker is on the way. */
  since?: string | null
  /** It is a day, not an instant. */
  day?: true
}

export type RouteMap = {
  /** The places of the route in order, each with its letter, and the name that its owner knows. */
  places: readonly { point: Point; mark: string; label: string }[]
  /** The moving person, or the last known point; with the bearing in degrees from north and the letter of the destination. */
  mover: { point: Point; bearing: number | null; label: string; to: string }
  /** The only part that a stranger with a link sees; null for none. `person` is a name. */
  shared: { door: Point; words: string; person?: string } | null
}

export type ProofView = {
  words: string
  /** The name of the person who took it. */
  by: string | null
  at: string
  /** The ids of the pictures that a stranger with a link may see. */
  pictures: readonly string[]
}

/** A line of a bill; the details stand below it. */
export type BillLine = { label: RichText; amount: Money; details?: readonly RichText[] }

/** A price, line by line. A negative amount is removed. */
export type Bill = {
  head: RichText
  about: readonly RichText[]
  lines: readonly BillLine[]
  /** The lines between the sum and the total: fees, discounts, taxes on top. */
  added: readonly BillLine[]
  /** Null as long as one of several prices must be chosen. */
  total: Money | null
  /** The taxes that the total contains. */
  included: readonly BillLine[]
  notes: readonly RichText[]
  /** The time of the quote. */
  made: string
}

/** A bill with what became of it. */
export type Receipt = Bill & {
  /** True if anything was paid. */
  paid: boolean
  /** The lines below the total: the payment, what went back, and what was charged in all. */
  settled: readonly BillLine[]
}

/** One of several prices of a quote. */
export type PriceChoice = {
  value: string
  name: string
  price: Money
  facts: readonly string[]
}

/** An entry for a calendar, and what its owner sees beside it. */
export type CalendarVisit = { entry: CalendarEntry; details: CalendarDetails }

type StatusHolder = { status: string }

export type Presenter<R extends StatusHolder, Q> = {
  states: Readonly<Record<R['status'], StateWords | ((resource: R) => StateWords)>>
  /** The states that follow each other when all goes well. A state between two of them has the place of the one before. */
  path: readonly R['status'][] | ((resource: R) => readonly R['status'][])
  /** The sentence for each reason of a change. Other reasons are shown to the owner alone. */
  reasons: Readonly<Record<string, string>>
  /** The one who is sent: the field of the interface, and the role for people, such as `Driver`. */
  workerField: { member: string; role: string }
  /** The name in a sentence: `Order K7QF`. */
  name(resource: R): string
  /** The heading for the owner: what, and its price. */
  title(resource: R, isLost: boolean): string
  /** The heading for a stranger with a link: a store, a service, a kind of task; never a user's description. */
  publicTitle(resource: R): string
  history(resource: R): readonly HistoryEntry[]
  /** The expected times of states ahead. */
  expectedTimes(resource: R, now: number): Readonly<Partial<Record<R['status'], string | null>>>
  arrival(resource: R, now: number): Arrival | null
  worker(resource: R): AssignedWorker | null
  routeMap(resource: R): RouteMap | null
  /** Further facts for the owner, one line each. */
  notes(resource: R): readonly string[]
  proof(resource: R): ProofView | null
  /** The command that opens the pictures, `{field}` filled from the resource; null before there is one. */
  openCommand(resource: R): string | null
  /** The bill of a quote, or of one of its prices. */
  price(quote: Q, choice: string | null): Bill
  /** The prices of a quote, where there are several. */
  choices(quote: Q): readonly PriceChoice[]
  /** The receipt of a resource; null where another resource pays. `isLost` says that it ended without success. */
  receipt(resource: R, isLost: boolean): Receipt | null
  /** The entry for a calendar; null before there is a time. Whoever has a shared link sees the entry alone. */
  calendar(resource: R): CalendarVisit | null
}

/** A presenter with the resource that it is about. */
export type BoundPresenter<R extends StatusHolder, Q> = Presenter<R, Q> & { resource: LivingResource }

export type LivingResource = Resource & { life: LifecycleInfo }

/** A presenter of any resource. */
// oxlint-disable-next-line typescript/no-explicit-any -- its functions are contravariant in the resource: only `any` admits all presenters
export type AnyPresenter = BoundPresenter<any, any>

/** Returns the changes of status; only the fields that are named, because strangers may see the entries. */
function statesOf(resource: object): HistoryEntry[] {
  const { status_history: history = [] } = resource as { status_history?: readonly HistoryEntry[] }
  return history.map(({ status, at, by, reason }) => ({ status, at, by, reason }))
}

type Optional =
  | 'history'
  | 'reasons'
  | 'expectedTimes'
  | 'arrival'
  | 'worker'
  | 'routeMap'
  | 'notes'
  | 'proof'
  | 'openCommand'
  | 'price'
  | 'choices'
  | 'receipt'
  | 'calendar'

/** Returns the presenter of a resource. Its history is the field `status_history` unless the presenter says otherwise. */
export function definePresenter<R extends StatusHolder, Q = never>(
  resource: LivingResource,
  story: Omit<Presenter<R, Q>, Optional> & Partial<Pick<Presenter<R, Q>, Optional>>,
): BoundPresenter<R, Q> {
  return {
    reasons: {},
    history: statesOf,
    expectedTimes: () => ({}) as ReturnType<Presenter<R, Q>['expectedTimes']>,
    arrival: () => null,
    worker: () => null,
    routeMap: () => null,
    notes: () => [],
    proof: () => null,
    openCommand: () => null,
    price: () => {
      throw new Error(`a ${resource.noun} has no quote`)
    },
    choices: () => [],
    receipt: () => null,
    calendar: () => null,
    ...story,
    resource,
  }
}

/** A resource, as the operation that shows it answers. */
export type PresentableResource = Readonly<Record<string, unknown>> & StatusHolder

/** All that a presenter says of a resource at an instant. */
export type ResourceView = {
  /** The name and value of the field with its id. */
  id: readonly [member: string, value: string]
  name: string
  title: string
  publicTitle: string
  status: string
  /** The words of the status. */
  state: string
  mood: Mood
  /** True if the status is final. */
  isFinal: boolean
  /** The changes, oldest first; it only grows. `why` is the sentence for the reason. */
  history: readonly (HistoryEntry & { words: string; why: string | null })[]
  /** The expected next states, each with its time if known. */
  upcoming: readonly { status: string; words: string; due: string | null }[]
  workerField: { member: string; role: string }
  worker: AssignedWorker | null
  arrival: Arrival | null
  routeMap: RouteMap | null
  notes: readonly string[]
  proof: ProofView | null
  openCommand: string | null
}

/** The part of a telling that a wait needs. */
export type ProgressView = Pick<
  ResourceView,
  'name' | 'status' | 'isFinal' | 'history' | 'workerField' | 'worker'
>

/** Tells a resource at `now`, the time of the service in milliseconds. */
export function presentResource(
  story: AnyPresenter,
  resource: PresentableResource,
  now: number,
): ResourceView {
  const { id, life } = story.resource
  const { status } = resource
  const over = life.final.includes(status)
  const { now: state, mood } = wordsOf(story, resource, status)
  const history = story.history(resource)
  return {
    id: [id, String(resource[id])],
    name: story.name(resource),
    title: story.title(resource, hasEndedInVain(story, resource)),
    publicTitle: story.publicTitle(resource),
    status,
    state,
    mood: mood ?? moodOf(life, status),
    isFinal: over,
    history: history.map((entry) => ({
      ...entry,
      words: entry.words ?? stepWords(story, resource, entry.status),
      why: sentenceFor(story, entry.reason),
    })),
    upcoming: over ? [] : aheadOf(story, resource, history, now),
    workerField: story.workerField,
    worker: story.worker(resource),
    arrival: over ? null : story.arrival(resource, now),
    routeMap: story.routeMap(resource),
    notes: story.notes(resource),
    proof: story.proof(resource),
    openCommand: story.openCommand(resource),
  }
}

/** Returns the words of a state; of one that the presenter does not know, its name. */
function wordsOf(story: AnyPresenter, resource: StatusHolder, status: string): StateWords {
  const words = Object.hasOwn(story.states, status) ? story.states[status] : undefined
  return (typeof words === 'function' ? words(resource) : words) ?? { now: humanizeCode(status) }
}

/** Returns the receipt of a resource; null where another resource pays. */
export function receiptOf(story: AnyPresenter, resource: StatusHolder): Receipt | null {
  return story.receipt(resource, hasEndedInVain(story, resource))
}

/** Returns whether a resource ended without success. */
function hasEndedInVain(story: AnyPresenter, { status }: StatusHolder): boolean {
  return moodOf(story.resource.life, status) === 'failed'
}

/** Returns the words of a resource's present state. */
export function describeState(story: AnyPresenter, resource: StatusHolder): string {
  return wordsOf(story, resource, resource.status).now
}

function stepWords(story: AnyPresenter, resource: StatusHolder, status: string): string {
  const { now, done = now } = wordsOf(story, resource, status)
  return done
}

function moodOf({ success, final }: LifecycleInfo, status: string): Mood {
  if (status === success) return 'done'
  return final.includes(status) ? 'failed' : 'waiting'
}

function sentenceFor({ reasons }: AnyPresenter, reason: string | null): string | null {
  return (reason !== null && Object.hasOwn(reasons, reason) && reasons[reason]) || null
}

/** Returns the states of the path after the latest one that was reached: a dispatch that begins again goes back on it. */
function aheadOf(
  story: AnyPresenter,
  resource: StatusHolder,
  history: readonly HistoryEntry[],
  now: number,
): ResourceView['upcoming'] {
  const path: readonly string[] = typeof story.path === 'function' ? story.path(resource) : story.path
  const dues: Readonly<Record<string, string | null | undefined>> = story.expectedTimes(resource, now)
  const last = [...history.map(({ status }) => status), resource.status].findLast((each) =>
    path.includes(each),
  )
  return path
    .slice(path.indexOf(last ?? '') + 1)
    .map((status) => ({ status, words: stepWords(story, resource, status), due: dues[status] ?? null }))
}

/** Returns `Return started` for `return_started`. */
export function humanizeCode(code: string): string {
  const text = code.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns the person in a line: `Ana Silva, rated 4.9, silver Toyota Prius, QA21 XBD: about to arrive`. */
export function formatAssignedWorker({ name, rating, vehicle, plate, doing }: AssignedWorker): string {
  const facts = [
    name,
    ...(rating === undefined || rating === null ? [] : [`rated ${rating.toFixed(1)}`]),
    ...(vehicle === null ? [] : [vehicle]),
    ...(plate === undefined ? [] : [plate]),
  ]
  return `${facts.join(', ')}${doing === undefined ? '' : `: ${doing}`}`
}
