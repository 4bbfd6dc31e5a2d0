/** A ticket of the wall: what to cook, by when, and the one step that comes next. */
import { useMemo } from 'preact/hooks'
import { LINE_DEPARTURE_WORDS } from '../../areas/orders/rules/kitchen-lines.ts'
import { ORDER_VERB_TEXTS, type OrderVerb } from '../../areas/orders/rules/stages.ts'
import { hasScope } from '../core/session.ts'
import { type Order, timeOn, words } from './order.ts'
import {
  type AllergyNote,
  bandWords,
  choiceWords,
  contentOf,
  isLeftOut,
  shortLineWords,
  type TicketContent,
  type TicketRow,
} from './rows.ts'
import { STATE_SIGNS, type TicketState, stateOf, stateWords, timingOf, type TicketTiming } from './wall.ts'

export type TicketActions = {
  act: (action: OrderVerb, order: Order, body?: Readonly<Record<string, unknown>>) => void
  openMenu: (order: Order) => void
}

type TicketProps = {
  order: Order
  now: number
  /** The key that chooses it; undefined without one. */
  place: number | undefined
  isBusy: boolean
  isSilenced: boolean
  actions: TicketActions
}

/** An order on the wall. The layout of the wall puts it in its place. */
export function Ticket({ order, now, place, isBusy, isSilenced, actions }: TicketProps) {
  const state = stateOf(order, now)
  const timing = timingOf(order, now)
  const { display_number: number, order_id } = order
  // The rest of a ticket does not change with each second.
  const body = useMemo(
    () => <Body order={order} state={state} now={now} place={place} isBusy={isBusy} actions={actions} />,
    [order, state, place, isBusy, actions],
  )
  return (
    <article
      class={`order ${state} ${timing.mood}${timing.label === 'late' ? ' late' : ''}`}
      data-order={number}
      data-id={order_id}
      tabIndex={-1}
      aria-busy={isBusy}
      aria-label={`${number}, ${stateWords(state)}, ${timing.time} ${timing.label}`}
    >
      <Band order={order} state={state} timing={timing} now={now} isSilenced={isSilenced} />
      {body}
    </article>
  )
}

type BandProps = {
  order: Order
  state: TicketState
  timing: TicketTiming
  now: number
  isSilenced: boolean
}

/** Number, state, facts and time, on one band. */
function Band({ order, state, timing: { time, label, mood, share }, now, isSilenced }: BandProps) {
  return (
    <header class="band">
      <h2 class="num">{order.display_number}</h2>
      <p class="what">
        <b>
          <span aria-hidden="true">{STATE_SIGNS[state]}</span> {stateWords(state)}
          {isSilenced && ', silent'}
        </b>
        <span>
          <bdi>{bandWords(order, now)}</bdi>
        </span>
      </p>
      <p class="when">
        <b>{time}</b>
        <small>{label}</small>
        {mood === 'urgent' && label === 'to accept' && (
          <span class="hidden"> About to be rejected automatically.</span>
        )}
      </p>
      {share !== undefined && (
        <svg class="left" viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true">
          <rect width={share * 100} height="2" />
        </svg>
      )}
    </header>
  )
}

type BodyProps = {
  order: Order
  state: TicketState
  now: number
  place: number | undefined
  isBusy: boolean
  actions: TicketActions
}

/** The states in which a kitchen cooks nothing of an order: its dishes are one line. */
const SHORT_STATES: readonly TicketState[] = ['ready', 'way', 'later']

function Body(props: BodyProps) {
  const { order, state, now } = props
  const content = contentOf(order)
  const isShort = SHORT_STATES.includes(state)
  // The dots stand beside the dishes where there is no large button.
  const hasStep = stepOf(order, state) !== undefined
  return (
    <>
      {content.warnings.map((warning) => (
        <Warning warning={warning} />
      ))}
      {isShort ? (
        <div class="aside">
          <div class="short">
            <Courier order={order} now={now} />
            <p class="c">{shortLineWords(content)}</p>
          </div>
          {!hasStep && <Foot {...props} />}
        </div>
      ) : (
        <Lines content={content} />
      )}
      {content.notes.map(({ text, of, kind }) => (
        <p class="note">
          <strong>{kind === 'changed' ? 'Changed' : 'Note'}</strong> {of !== undefined && `${of}: `}
          <bdi>{text}</bdi>
        </p>
      ))}
      {(!isShort || hasStep) && <Foot {...props} />}
    </>
  )
}

function Warning({ warning: { word, of, text } }: { warning: AllergyNote }) {
  return (
    <p class={word === 'AVOID' ? 'warn avoid' : 'warn'}>
      <b>
        <span aria-hidden="true">⚠</span> {word}
      </b>{' '}
      {of !== undefined && `${of}: `}
      <bdi>{text}</bdi>
    </p>
  )
}

/** The dishes to cook, and those that left the order, struck, with their replacements below. */
function Lines({ content: { cooked, gone } }: { content: TicketContent }) {
  return (
    <ul class="lines">
      {[...cooked, ...gone].map((row) => (
        <li key={`${row.line_id} ${row.leaving}`} class={rowClass(row)}>
          <Row row={row} />
        </li>
      ))}
    </ul>
  )
}

function rowClass({ leaving, marks }: TicketRow): string {
  const fate = leaving === undefined ? '' : ' gone'
  return `row${fate}${marks.length > 0 ? ' hit' : ''}`
}

/** The amount, the dish and its choices, in one row. */
export function Row({ row }: { row: TicketRow }) {
  const { quantity, name, modifiers, marks, contains, leaving, isReplacement } = row
  const dish = (
    <>
      <b>{name}</b>
      {modifiers.length > 0 && (
        <span class="c">
          {' '}
          {modifiers.map((each, at) => (
            <>
              {at > 0 && ', '}
              {isLeftOut(each.name) ? <strong>{choiceWords(each)}</strong> : choiceWords(each)}
            </>
          ))}
        </span>
      )}
    </>
  )
  return (
    <>
      <span class={quantity > 1 ? 'q many' : 'q'}>{quantity}</span>
      <span class="dish">
        <span class="hidden"> times </span>
        {isReplacement && 'instead: '}
        {leaving === 'removed' || leaving === 'replaced' ? <s>{dish}</s> : dish}
        {marks.map((mark) => (
          <>
            {' '}
            <span class="has">{mark}</span>
          </>
        ))}
        {contains !== undefined && <span class="contains"> {contains}</span>}
        {leaving !== undefined && <span class="fate"> {LINE_DEPARTURE_WORDS[leaving]}</span>}
      </span>
    </>
  )
}

export function Courier({ order: { delivery }, now }: { order: Order; now: number }) {
  if (delivery === null) return null
  const { courier, status } = delivery
  if (courier === null) return <p>Courier: {words(status)}</p>
  return (
    <p>
      Courier <bdi>{courier.name}</bdi>, {words(courier.vehicle_type)}
      {courier.eta_at !== null && `, ETA ${timeOn(courier.eta_at, now)}`}
    </p>
  )
}

/** Returns whether the store may do this to an order now, on this page. */
export function mayDo(action: OrderVerb, { allowed_actions: allowed, status }: Order): boolean {
  // The service lets an order be completed early; on a wall that is a slip of the finger.
  if (action === 'complete' && status !== 'ready') return false
  return hasScope('orders.manage') && allowed.includes(ORDER_VERB_TEXTS[action].action)
}

/** The step that the large button of a ticket takes, with its words. */
export type TicketStep = { action: OrderVerb; label: string; body: Readonly<Record<string, unknown>> }

const STEP_OF: Readonly<Partial<Record<TicketState, OrderVerb>>> = {
  new: 'accept',
  make: 'prepare',
  cooking: 'ready',
  ready: 'complete',
}

/** Returns the next step of an order; undefined where the store has none, as for one on the way. */
export function stepOf(order: Order, state: TicketState): TicketStep | undefined {
  const action = STEP_OF[state]
  if (action === undefined || !mayDo(action, order)) return undefined
  const { label } = ORDER_VERB_TEXTS[action]
  if (action === 'complete')
    return { action, label: order.fulfillment_type === 'pickup' ? 'Collected' : label, body: {} }
  if (action !== 'accept') return { action, label, body: {} }
  const minutes = order.prep.prep_time_minutes
  return { action, label: `${label} ${minutes} min`, body: { prep_time_minutes: minutes } }
}

function Foot({ order, state, place, isBusy, actions }: BodyProps) {
  const { display_number: number } = order
  const step = stepOf(order, state)
  const isUnpaid = order.status === 'placed' && !order.allowed_actions.includes('accept')
  return (
    <footer class="foot">
      {isUnpaid && <p class="owed">Awaiting payment</p>}
      {step !== undefined && (
        <button
          type="button"
          class="act"
          aria-disabled={isBusy}
          aria-label={`${step.label} ${number}`}
          onClick={({ detail }) => {
            // The second half of a double click would take the step after this one.
            if (detail < 2) actions.act(step.action, order, step.body)
          }}
        >
          {place !== undefined && <span class="place" data-place={place} />}
          {step.label}
        </button>
      )}
      <button
        type="button"
        class="dots"
        aria-haspopup="dialog"
        aria-label={`More for ${number}`}
        onClick={() => actions.openMenu(order)}
      >
        ···
      </button>
    </footer>
  )
}
