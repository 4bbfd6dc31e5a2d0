import { useState } from 'preact/hooks'
import { formatAllergens } from '../../areas/orders/rules/allergens.ts'
import { type KitchenRow, kitchenRows, LINE_DEPARTURE_WORDS } from '../../areas/orders/rules/kitchen-lines.ts'
import { ORDER_VERB_TEXTS, type OrderVerb } from '../../areas/orders/rules/stages.ts'
import { type OrderNote, notesOf } from '../../areas/orders/rules/waiting.ts'
import { problemNotes } from '../../areas/orders/rules/wrong-words.ts'
import { hasScope } from '../core/session.ts'
import type { PendingDialog } from './kitchen.ts'
import {
  clockTime,
  howWords,
  type Order,
  paymentWords,
  prepChoices,
  timeOn,
  timingOf,
  type Timing,
  words,
} from './order.ts'

export type CardActions = {
  act: (action: OrderVerb, order: Order, body?: Readonly<Record<string, unknown>>) => void
  ask: (asked: PendingDialog) => void
  offSale: (order: Order) => void
  print: (order: Order) => void
}

/** An order: what to cook, by when, and what can be done with it. */
export function Card({
  order,
  now,
  busy,
  actions,
}: {
  order: Order
  now: number
  busy: boolean
  actions: CardActions
}) {
  const timing = timingOf(order, now)
  return (
    <article
      class={`order ${order.status} ${timing.mood}`}
      aria-busy={busy}
      aria-labelledby={`of-${order.order_id}`}
    >
      <Head order={order} timing={timing} now={now} />
      {notesOf(order).map((note) => (
        <NoteBox note={note} />
      ))}
      <Lines order={order} />
      <Changes order={order} />
      <Courier order={order} now={now} />
      <Buttons order={order} busy={busy} actions={actions} />
    </article>
  )
}

function Head({ order, timing, now }: { order: Order; timing: Timing; now: number }) {
  const { display_number: number, customer } = order
  const owed = paymentWords(order)
  return (
    <header>
      <h3 id={`of-${order.order_id}`}>{number}</h3>
      <Time timing={timing} />
      <p class="how">
        <strong>{howWords(order)}</strong>
        <span>
          <bdi>{customer.first_name}</bdi>
          {customer.orders_count === 1 ? ', first order' : ''}
        </span>
        {owed !== undefined && <span class="owed">{owed}</span>}
      </p>
      {order.slot !== null && (
        <p class="slot">
          For {timeOn(order.slot.starts_at, now)} to {clockTime(order.slot.ends_at)}
        </p>
      )}
    </header>
  )
}

/** The dishes to cook, and those that left the order, struck, with their replacements below. */
function Lines({ order }: { order: Order }) {
  return (
    <ul class="lines">
      {kitchenRows(order).map((row) => (
        <li key={`${row.line_id} ${row.leaving}`} class={rowClass(row)}>
          <Dish row={row} />
        </li>
      ))}
    </ul>
  )
}

function Dish({ row: { quantity, name, modifiers, warning, leaving } }: { row: KitchenRow }) {
  const contains = leaving === undefined ? formatAllergens(warning) : undefined
  const dish = (
    <>
      {name}
      {modifiers.map((each) => (
        <span class="choice">
          {each.name}
          {each.quantity > 1 ? ` × ${each.quantity}` : ''}
        </span>
      ))}
    </>
  )
  const isGone = leaving === 'removed' || leaving === 'replaced'
  return (
    <>
      <span class={quantity > 1 ? 'many' : 'one'}>{quantity}</span>
      <span class="hidden"> times </span>
      <span class="dish">
        {isGone ? <s>{dish}</s> : dish}
        {contains !== undefined && <span class="contains">{contains}</span>}
        {leaving !== undefined && <span class="fate"> {LINE_DEPARTURE_WORDS[leaving]}</span>}
      </span>
    </>
  )
}

function rowClass({ leaving, isReplacement, warning }: KitchenRow): string {
  const isDanger = leaving === undefined && warning.named.length > 0
  const classes = [
    leaving === undefined ? '' : 'gone',
    isReplacement ? 'instead' : '',
    isDanger ? 'danger' : '',
  ]
  return classes.filter((each) => each !== '').join(' ')
}

/** The parts that were removed or replaced, and the questions that are open. */
function Changes({ order }: { order: Order }) {
  return problemNotes(order).map((text) => (
    <p class="note">
      <strong>Changed</strong> {text}
    </p>
  ))
}

function Time({ timing: { label, time, mood, share } }: { timing: Timing }) {
  return (
    <p class="time">
      <span class="label">{label === 'to accept' ? '' : label} </span>
      <strong>{time}</strong>
      {label === 'to accept' && <span class="label"> to accept</span>}
      {mood === 'urgent' && label === 'to accept' && (
        <span class="hidden"> About to be rejected automatically.</span>
      )}
      {share !== undefined && (
        <svg class="bar" viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true">
          <rect width={share * 100} height="2" />
        </svg>
      )}
    </p>
  )
}

function NoteBox({ note: { text, allergy, of } }: { note: OrderNote }) {
  return (
    <p class={allergy ? 'note allergy' : 'note'}>
      <strong>{allergy ? 'Allergy' : 'Note'}</strong>
      {of !== undefined && <span class="of">{of}: </span>}
      <bdi>{text}</bdi>
    </p>
  )
}

function Courier({ order: { delivery }, now }: { order: Order; now: number }) {
  if (delivery === null) return null
  const { courier, status } = delivery
  if (courier === null) return <p class="courier">Courier: {words(status)}</p>
  return (
    <p class="courier">
      Courier <bdi>{courier.name}</bdi>, {words(courier.vehicle_type)}
      {courier.eta_at !== null && `, ETA ${timeOn(courier.eta_at, now)}`}
    </p>
  )
}

type ButtonsProps = { order: Order; busy: boolean; actions: CardActions }

function mayDo(action: OrderVerb, { allowed_actions: allowed, status }: Order): boolean {
  // The service lets an order be completed early; on a wall that is a slip of the finger.
  if (action === 'complete' && status !== 'ready') return false
  return hasScope('orders.manage') && allowed.includes(ORDER_VERB_TEXTS[action].action)
}

function ActionButton({
  action,
  kind,
  body,
  order,
  busy,
  actions,
}: ButtonsProps & { action: OrderVerb; kind: string; body?: Readonly<Record<string, unknown>> }) {
  const { label } = ORDER_VERB_TEXTS[action]
  return (
    <button
      type="button"
      class={kind}
      aria-disabled={busy}
      aria-label={`${label} ${order.display_number}`}
      onClick={() => actions.act(action, order, body)}
    >
      {label}
    </button>
  )
}

function Accept(props: ButtonsProps) {
  const { order } = props
  const [minutes, setMinutes] = useState(order.prep.prep_time_minutes)
  return (
    <div class="accept">
      <ActionButton {...props} action="accept" kind="main" body={{ prep_time_minutes: minutes }} />
      <label>
        <span>in</span>
        <select
          aria-label={`Prep time of ${order.display_number} in minutes`}
          value={minutes}
          onChange={(event) => setMinutes(Number(event.currentTarget.value))}
        >
          {prepChoices(order).map((choice) => (
            <option value={choice}>{choice} min</option>
          ))}
        </select>
      </label>
    </div>
  )
}

function Buttons(props: ButtonsProps) {
  const { order } = props
  const next = (['prepare', 'ready', 'complete'] as const).filter((action) => mayDo(action, order))
  return (
    <footer>
      {mayDo('accept', order) && <Accept {...props} />}
      {order.status === 'placed' && !order.allowed_actions.includes('accept') && (
        <p class="owed">Awaiting payment</p>
      )}
      {next.length > 0 && (
        <div class="next">
          {next.map((action, at) => (
            <ActionButton {...props} key={action} action={action} kind={at === 0 ? 'main' : 'quiet'} />
          ))}
        </div>
      )}
      <More {...props} />
    </footer>
  )
}

function More({ order, actions }: ButtonsProps) {
  const { display_number: number } = order
  return (
    <div class="more">
      {mayDo('reject', order) && (
        <>
          <button
            type="button"
            class="quiet"
            aria-label={`Reject… ${number}`}
            onClick={() => actions.ask({ about: 'reject', order })}
          >
            Reject…
          </button>
          <button
            type="button"
            class="quiet"
            aria-label={`Take off or replace… in ${number}`}
            onClick={() => actions.ask({ about: 'adjust', order })}
          >
            Take off or replace…
          </button>
        </>
      )}
      {hasScope('menu.manage') && (
        <button
          type="button"
          class="quiet"
          aria-label={`Mark unavailable… in ${number}`}
          onClick={() => actions.offSale(order)}
        >
          Mark unavailable…
        </button>
      )}
      <button type="button" class="quiet" aria-label={`Print ${number}`} onClick={() => actions.print(order)}>
        Print
      </button>
    </div>
  )
}
