import { findAllergyWord, formatAllergens, isAllergy } from '../../areas/orders/rules/allergens.ts'
import {
  type KitchenRow,
  kitchenRows,
  LINE_DEPARTURE_WORDS,
  type OrderLineDeparture,
} from '../../areas/orders/rules/kitchen-lines.ts'
import { notesOf } from '../../areas/orders/rules/waiting.ts'
import { problemNotes } from '../../areas/orders/rules/wrong-words.ts'
import { chargeOf } from '../../areas/payments/rules/payment.ts'
import { formatGroupedMoney } from '../../core/money.ts'
import { capital, dayAndTime, howWords, type Order, paymentWords, timeOn, words } from './order.ts'
import { Courier } from './ticket.tsx'

/** `store` is the name of the store; undefined where the session may not read it. */
type PrintedTicketProps = { order: Order; store: string | undefined; now: number }

/** The order on a strip of 80 mm: it is on the page only while it is printed. */
export function PrintedTicket({ order, store, now }: PrintedTicketProps) {
  const { display_number, customer, placed_at, prep, slot, payment } = order
  const notes = notesOf(order)
  return (
    <section class="slip" aria-hidden="true">
      <p class="head">
        {store !== undefined && <strong>{store}</strong>} {dayAndTime(placed_at)}
      </p>
      <p class="number">{display_number}</p>
      <p class="kind">
        {howWords(order)}, {customer.first_name}
      </p>
      {notes
        .filter(({ allergy }) => allergy)
        .map(({ text, of }) => (
          <p class="warning">
            {findAllergyWord(text)} {of === undefined ? '' : `${of}: `}
            {text}
          </p>
        ))}
      <table>
        <tbody>
          {kitchenRows(order).map((row) => (
            <PrintedRow row={row} />
          ))}
        </tbody>
      </table>
      {problemNotes(order).map((text) => (
        <p class="said">{text}</p>
      ))}
      {order.notes !== null && !isAllergy(order.notes) && <p class="said">“{order.notes}”</p>}
      <p class="facts">
        Ordered {timeOn(placed_at, now)}, ready by {timeOn(prep.estimated_ready_at, now)}
        {slot !== null && `, for ${timeOn(slot.starts_at, now)}`}
        <br />
        {formatGroupedMoney(chargeOf(order))} {capital(words(payment.method))},{' '}
        {paymentWords(order)?.toLowerCase() ?? 'paid'}
      </p>
      <Courier order={order} now={now} />
    </section>
  )
}

function PrintedRow({ row }: { row: KitchenRow }) {
  const { quantity, name, modifiers, notes: note, warning, leaving, isReplacement } = row
  return (
    <tr>
      <td>{quantity}</td>
      <td>
        {isReplacement && 'instead: '}
        {leaving === undefined ? <strong>{name}</strong> : <DishGone name={name} leaving={leaving} />}
        {modifiers.map((each) => (
          <div>
            {each.name}
            {each.quantity > 1 ? ` × ${each.quantity}` : ''}
          </div>
        ))}
        {leaving === undefined && warning.listed.length > 0 && (
          <div class="warning">{formatAllergens(warning)}</div>
        )}
        {note !== null && !isAllergy(note) && <div class="said">“{note}”</div>}
      </td>
    </tr>
  )
}

/** A dish that is not cooked: struck, and said in words, because a line of a thermal printer may be faint. */
function DishGone({ name, leaving }: { name: string; leaving: OrderLineDeparture }) {
  return (
    <>
      {leaving === 'asked' ? name : <s>{name}</s>} {LINE_DEPARTURE_WORDS[leaving]}
    </>
  )
}
