/** Takes units off an order, or puts another item in their place. What the customer gets back is shown before it is done. */
import { useState } from 'preact/hooks'
import type { AdjustmentWords } from '../../areas/orders/rules/adjust-words.ts'
import {
  ADJUSTMENT_REASONS,
  type AdjustmentReason,
  countUnitsLeftByLine,
} from '../../areas/orders/rules/adjust.ts'
import { listOpenQuestions } from '../../areas/orders/rules/wrong-words.ts'
import { changeOnce } from '../core/call.ts'
import { Dialog } from '../core/dialog.tsx'
import { NoteField, Reasons } from './dialogs.tsx'
import type { KitchenController } from './kitchen.ts'
import type { Menu } from './menu.ts'
import type { Order } from './order.ts'
import { optionsOf, phraseOf, type Plan, planOf, type Wish } from './plan.ts'
import { SwapFields } from './replacement.tsx'
import { FailureLine, useSending } from './sending.tsx'

type AdjustProps = {
  order: Order
  menu: Menu
  onChange: KitchenController['change']
  onReject: () => void
  onClose: () => void
}

/** Asks which units are missing, what comes in their place, and why. */
export function AdjustDialog({ order, menu, onChange, onReject, onClose }: AdjustProps) {
  const lines = countUnitsLeftByLine(order).filter(({ left }) => left > 0)
  const [only, other] = lines
  const first = other === undefined ? only?.line_id : undefined
  const [wish, setWish] = useState<Wish>({ lineId: first, units: 1, swap: undefined })
  const [reason, setReason] = useState<AdjustmentReason>()
  const [note, setNote] = useState('')
  const [missing, setMissing] = useState(false)
  const sending = useSending(order, onChange, onClose)
  const plan = planOf(order, menu.items ?? [], wish)
  const submit = (event: Event): void => {
    event.preventDefault()
    if (sending.again !== undefined) return sending.again()
    if (reason === undefined || 'why' in plan) return setMissing(true)
    const input = {
      order_id: order.order_id,
      kind: plan.kind,
      lines: plan.lines,
      reason_code: reason,
      expected_amount: plan.words.amount,
      ...(note.trim() !== '' && { note: note.trim() }),
    }
    const said = phraseOf(order, plan)
    sending.send(
      () => changeOnce('adjust_business_order', input),
      (changed) => doneWords(changed, said, plan.words),
    )
  }
  return (
    <Dialog title={`Take off or replace in ${order.display_number}`} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <fieldset class="whole" disabled={sending.again !== undefined}>
          <LineFields order={order} lines={lines} wish={wish} onChange={setWish} />
          <SwapFields
            order={order}
            items={menu.items}
            swap={wish.swap}
            onChange={(swap) => setWish({ ...wish, swap })}
          />
          <Reasons reasons={ADJUSTMENT_REASONS} reason={reason} missing={missing} onChoose={setReason} />
          <NoteField note={note} onInput={setNote} />
        </fieldset>
        <FailureLine failure={sending.failure} />
        {sending.again === undefined && <Consequence plan={plan} missing={missing} onReject={onReject} />}
        <div class="actions">
          <button type="submit" class="grave" aria-disabled={sending.isBusy}>
            {sending.again === undefined ? phraseOf(order, plan) : 'Try again'}
          </button>
          <button type="button" class="quiet" onClick={onClose}>
            Keep as it is
          </button>
        </div>
      </form>
    </Dialog>
  )
}

type ConsequenceProps = { plan: Plan; missing: boolean; onReject: () => void }

/** The effect of the plan on the money, or the part that is missing of it. */
function Consequence({ plan, missing, onReject }: ConsequenceProps) {
  if ('words' in plan)
    return (
      <p class="outcome" role="status">
        {plan.words.money}
      </p>
    )
  return (
    <div class="outcome" role="status">
      <p class={missing ? 'wrong' : 'soft'}>{plan.why}</p>
      {plan.mayReject === true && (
        <button type="button" class="quiet" onClick={onReject}>
          Reject the order…
        </button>
      )}
    </div>
  )
}

function doneWords(order: Order, said: string, { money }: AdjustmentWords): string {
  const number = order.display_number
  if (order.status === 'rejected') return `${number} is rejected.`
  return listOpenQuestions(order).length > 0 && said.startsWith('Replace')
    ? `The customer of ${number} is asked, and has 5 minutes to answer.`
    : `${number} is changed. ${money}`
}

type LineProps = {
  order: Order
  lines: ReturnType<typeof countUnitsLeftByLine>
  wish: Wish
  onChange: (wish: Wish) => void
}

function LineFields({ order, lines, wish, onChange }: LineProps) {
  const left = lines.find(({ line_id }) => line_id === wish.lineId)?.left ?? 1
  return (
    <>
      <fieldset>
        <legend>Item</legend>
        {lines.map(({ line_id, name, left: units }) => (
          <label class="option" key={line_id}>
            <input
              type="radio"
              name="line"
              checked={wish.lineId === line_id}
              onChange={() => onChange({ ...wish, lineId: line_id, units: 1 })}
            />
            <span>
              {units} × {name} <span class="soft">{optionsOf(order, line_id)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {left > 1 && (
        <label class="field">
          How many
          <select
            value={Math.min(wish.units, left)}
            onChange={(event) => onChange({ ...wish, units: Number(event.currentTarget.value) })}
          >
            {Array.from({ length: left }, (_, at) => (
              <option key={at} value={at + 1}>
                {at + 1} of {left}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  )
}
