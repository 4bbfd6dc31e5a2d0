import { chargeOf, refundable } from '../../areas/payments/rules/payment.ts'
/** Everything else that can be done with an order, and all of its facts that its ticket may cut. */
import { formatGroupedMoney } from '../../core/money.ts'
import { Dialog } from '../core/dialog.tsx'
import { hasScope } from '../core/session.ts'
import type { PendingDialog } from './kitchen.ts'
import { clockTime, howWords, type Order, paymentWords, prepChoices, timeOn, words } from './order.ts'
import { contentOf } from './rows.ts'
import { Courier, mayDo, type TicketActions } from './ticket.tsx'
import { stateOf } from './wall.ts'

export type OrderMenuActions = Pick<TicketActions, 'act'> & {
  ask: (asked: PendingDialog) => void
  offSale: (order: Order) => void
  print: (order: Order) => void
  silence: (order: Order) => void
}

type OrderMenuProps = {
  order: Order
  now: number
  isSilenced: boolean
  actions: OrderMenuActions
  onClose: () => void
}

/** The menu behind the dots of a ticket. A choice closes it. */
export function OrderMenu({ order, now, isSilenced, actions, onClose }: OrderMenuProps) {
  const { display_number: number, customer } = order
  const entries = listEntries(order, now, isSilenced, actions)
  return (
    <Dialog title={`${number} ${howWords(order)}, ${customer.first_name}`} onClose={onClose}>
      <div class="order-menu">
        {mayDo('accept', order) && <Minutes order={order} actions={actions} onClose={onClose} />}
        <ul class="deeds">
          {entries.map(({ label, hint, isGrave, choose }) => (
            <li key={label}>
              <button
                type="button"
                class={isGrave === true ? 'quiet grave-deed' : 'quiet'}
                aria-label={`${label} ${number}`}
                onClick={() => {
                  onClose()
                  choose()
                }}
              >
                {label}
                <span class="soft">{hint}</span>
              </button>
            </li>
          ))}
        </ul>
        <Facts order={order} now={now} />
        <div class="actions">
          <button type="button" onClick={onClose}>
            Close
          </button>
        </div>
      </div>
    </Dialog>
  )
}

type OrderMenuEntry = { label: string; hint: string; isGrave?: boolean; choose: () => void }

function listEntries(
  order: Order,
  now: number,
  isSilenced: boolean,
  actions: OrderMenuActions,
): OrderMenuEntry[] {
  const state = stateOf(order, now)
  const back = refundable(order)
  const isWaiting = order.accept_by !== null && !isSilenced
  const entries: (OrderMenuEntry | false)[] = [
    state === 'later' &&
      mayDo('prepare', order) && {
        label: 'Start now',
        hint: 'before its time',
        choose: () => actions.act('prepare', order),
      },
    order.status === 'accepted' &&
      mayDo('ready', order) && {
        label: 'Ready now',
        hint: 'skips cooking',
        choose: () => actions.act('ready', order),
      },
    isWaiting && { label: 'Silence', hint: 'on this screen', choose: () => actions.silence(order) },
    { label: 'Print', hint: 'ticket of 80 mm', choose: () => actions.print(order) },
    mayDo('reject', order) && {
      label: 'Take off or replace…',
      hint: 'shows the refund',
      choose: () => actions.ask({ about: 'adjust', order }),
    },
    hasScope('menu.manage') && {
      label: 'Mark unavailable…',
      hint: 'items of this order',
      choose: () => actions.offSale(order),
    },
    mayDo('reject', order) && {
      label: 'Reject…',
      hint: back === undefined ? 'nothing was paid' : `${formatGroupedMoney(back)} goes back`,
      isGrave: true,
      choose: () => actions.ask({ about: 'reject', order }),
    },
  ]
  return entries.filter((entry) => entry !== false)
}

type MinutesProps = { order: Order; actions: OrderMenuActions; onClose: () => void }

/** Other minutes: one tap accepts. */
function Minutes({ order, actions, onClose }: MinutesProps) {
  return (
    <fieldset>
      <legend>Accept in</legend>
      <div class="minutes">
        {prepChoices(order).map((minutes) => (
          <button
            type="button"
            key={minutes}
            class={minutes === order.prep.prep_time_minutes ? '' : 'quiet'}
            onClick={() => {
              onClose()
              actions.act('accept', order, { prep_time_minutes: minutes })
            }}
          >
            {minutes} min
          </button>
        ))}
      </div>
    </fieldset>
  )
}

/** The facts in full. */
function Facts({ order, now }: { order: Order; now: number }) {
  const { customer, placed_at, slot, payment } = order
  const owed = paymentWords(order)
  const { warnings, notes } = contentOf(order)
  return (
    <div class="facts">
      {warnings.map(({ word, of, text }) => (
        <p>
          <strong>{word}</strong> {of !== undefined && `${of}: `}
          <bdi>{text}</bdi>
        </p>
      ))}
      {notes.map(({ text, of, kind }) => (
        <p>
          <strong>{kind === 'changed' ? 'Changed' : 'Note'}</strong> {of !== undefined && `${of}: `}
          <bdi>{text}</bdi>
        </p>
      ))}
      <p>
        {formatGroupedMoney(chargeOf(order))}, {words(payment.method)}, {owed?.toLowerCase() ?? 'paid'}
      </p>
      <p>
        <bdi>{customer.first_name}</bdi>
        {customer.orders_count === 1 ? ', first order' : `, ${customer.orders_count} orders`}; ordered{' '}
        {timeOn(placed_at, now)}
        {slot !== null && `, for ${timeOn(slot.starts_at, now)} to ${clockTime(slot.ends_at)}`}
      </p>
      <Courier order={order} now={now} />
    </div>
  )
}
