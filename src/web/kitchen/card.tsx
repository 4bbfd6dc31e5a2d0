import { useState } from 'preact/hooks'
import { may } from '../page/session.ts'
import { ACTIONS, type Action } from './kitchen.ts'
import {
  clockTime,
  howWords,
  type Note,
  notesOf,
  type Order,
  paymentWords,
  prepChoices,
  timingOf,
  type Timing,
  words,
} from './order.ts'

export type CardActions = {
  act: (action: Action, order: Order, body?: Readonly<Record<string, unknown>>) => void
  reject: (order: Order) => void
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
  const { display_number: number, customer, lines } = order
  const timing = timingOf(order, now)
  const notes = notesOf(order)
  const owed = paymentWords(order)
  return (
    <article
      class={`order ${order.status} ${timing.mood}`}
      aria-busy={busy}
      aria-labelledby={`of-${order.order_id}`}
    >
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
            For {clockTime(order.slot.starts_at)} to {clockTime(order.slot.ends_at)}
          </p>
        )}
      </header>
      {notes.map((note) => (
        <NoteBox note={note} />
      ))}
      <ul class="lines">
        {lines.map(({ line_id, quantity, name, modifiers }) => (
          <li key={line_id}>
            <span class={quantity > 1 ? 'many' : 'one'}>{quantity}</span>
            <span class="hidden"> times </span>
            <span class="dish">
              {name}
              {modifiers.map((each) => (
                <span class="choice">
                  {each.name}
                  {each.quantity > 1 ? ` × ${each.quantity}` : ''}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
      <Courier order={order} />
      <Buttons order={order} busy={busy} actions={actions} />
    </article>
  )
}

function Time({ timing: { label, time, mood, share } }: { timing: Timing }) {
  return (
    <p class="time">
      <span class="label">{label === 'to accept' ? '' : label} </span>
      <strong>{time}</strong>
      {label === 'to accept' && <span class="label"> to accept</span>}
      {mood === 'urgent' && label === 'to accept' && <span class="hidden"> Nearly rejected.</span>}
      {share !== undefined && (
        <svg class="bar" viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true">
          <rect width={share * 100} height="2" />
        </svg>
      )}
    </p>
  )
}

function NoteBox({ note: { text, allergy, of } }: { note: Note }) {
  return (
    <p class={allergy ? 'note allergy' : 'note'}>
      <strong>{allergy ? 'Allergy' : 'Note'}</strong>
      {of !== undefined && <span class="of">{of}: </span>}
      <bdi>{text}</bdi>
    </p>
  )
}

function Courier({ order: { delivery } }: { order: Order }) {
  if (delivery === null) return null
  const { courier, status } = delivery
  if (courier === null) return <p class="courier">Courier: {words(status)}</p>
  return (
    <p class="courier">
      Courier <bdi>{courier.name}</bdi>, {words(courier.vehicle_type)}
      {courier.eta_at !== null && `, there ${clockTime(courier.eta_at)}`}
    </p>
  )
}

function Buttons({ order, busy, actions }: { order: Order; busy: boolean; actions: CardActions }) {
  const { allowed_actions: allowed, display_number: number, prep } = order
  const [minutes, setMinutes] = useState(prep.prep_time_minutes)
  const can = (action: Action): boolean => may('orders.manage') && allowed.includes(ACTIONS[action].word)
  const button = (action: Action, kind: string, body?: Readonly<Record<string, unknown>>) =>
    can(action) && (
      <button
        type="button"
        class={kind}
        aria-disabled={busy}
        aria-label={`${ACTIONS[action].label} ${number}`}
        onClick={() => actions.act(action, order, body)}
      >
        {ACTIONS[action].label}
      </button>
    )
  const first = (['prepare', 'ready', 'complete'] as const).find(can)
  return (
    <footer>
      {can('accept') && (
        <div class="accept">
          {button('accept', 'main', { prep_time_minutes: minutes })}
          <label>
            <span>ready in</span>
            <select
              aria-label={`Minutes until ${number} is ready`}
              value={minutes}
              onChange={(event) => setMinutes(Number(event.currentTarget.value))}
            >
              {prepChoices(order).map((choice) => (
                <option value={choice}>{choice} min</option>
              ))}
            </select>
          </label>
        </div>
      )}
      {!can('accept') && order.status === 'placed' && <p class="owed">Waits for its payment</p>}
      <div class="next">
        {(['prepare', 'ready', 'complete'] as const).map((action) =>
          can('accept') && action !== 'prepare' ? null : button(action, action === first ? 'main' : 'quiet'),
        )}
      </div>
      <div class="more">
        {can('reject') && (
          <button
            type="button"
            class="quiet"
            aria-label={`Reject ${number} …`}
            onClick={() => actions.reject(order)}
          >
            Reject …
          </button>
        )}
        {may('menu.manage') && (
          <button
            type="button"
            class="quiet"
            aria-label={`Off sale … of ${number}`}
            onClick={() => actions.offSale(order)}
          >
            Off sale …
          </button>
        )}
        <button
          type="button"
          class="quiet"
          aria-label={`Print ${number}`}
          onClick={() => actions.print(order)}
        >
          Print
        </button>
      </div>
    </footer>
  )
}
