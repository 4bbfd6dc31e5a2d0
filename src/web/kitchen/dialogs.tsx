import { useEffect, useState } from 'preact/hooks'
import { listItemsOfOrder } from '../../areas/orders/rules/kitchen-lines.ts'
import { ORDER_REJECT_REASONS } from '../../areas/orders/states.ts'
import { refundable } from '../../areas/payments/rules/payment.ts'
import { formatGroupedMoney } from '../../core/money.ts'
import { Dialog } from '../core/dialog.tsx'
import { hasScope } from '../core/session.ts'
import { LatestChanges } from './changes.tsx'
import { type CatalogItem, comesBack } from './items.ts'
import { type Menu, wordsOf } from './menu.ts'
import { capital, type ChangedItem, dayAndTime, type Order, touchedWords, words } from './order.ts'

type Reason = (typeof ORDER_REJECT_REASONS)[number]

type RejectProps = {
  order: Order
  onReject: (body: Readonly<Record<string, unknown>>) => void
  onClose: () => void
}

/** Asks why an order is rejected, and what of it has run out. */
export function RejectDialog({ order, onReject, onClose }: RejectProps) {
  const [reason, setReason] = useState<Reason>()
  const [missing, setMissing] = useState(false)
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set())
  const [note, setNote] = useState('')
  const asksItems = reason === 'item_unavailable' && hasScope('menu.manage')
  const send = (event: Event): void => {
    event.preventDefault()
    if (reason === undefined) return setMissing(true)
    onReject(toRejection(reason, note, asksItems ? [...gone] : []))
  }
  const back = refundable(order)
  const paid = back === undefined ? '' : ` The customer is refunded ${formatGroupedMoney(back)}.`
  return (
    <Dialog title={`Reject ${order.display_number}?`} onClose={onClose}>
      <form onSubmit={send} noValidate>
        <p>This cannot be undone.{paid}</p>
        <Reasons reasons={ORDER_REJECT_REASONS} reason={reason} missing={missing} onChoose={setReason} />
        {asksItems && <GoneItems order={order} gone={gone} onChange={setGone} />}
        <NoteField note={note} onInput={setNote} />
        <div class="actions">
          <button type="submit" class="grave">
            Reject {order.display_number}
          </button>
          <button type="button" class="quiet" onClick={onClose}>
            Keep order
          </button>
        </div>
      </form>
    </Dialog>
  )
}

export function NoteField({ note, onInput }: { note: string; onInput: (note: string) => void }) {
  return (
    <label class="field">
      Note to the customer
      <input
        type="text"
        maxLength={300}
        value={note}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  )
}

function toRejection(reason: Reason, note: string, ids: readonly string[]): Record<string, unknown> {
  return {
    reason_code: reason,
    ...(note.trim() !== '' && { note: note.trim() }),
    ...(ids.length > 0 && { item_ids: ids, mark_unavailable: true }),
  }
}

type ReasonsProps<R> = {
  reasons: readonly R[]
  reason: R | undefined
  missing: boolean
  onChoose: (reason: R) => void
}

/** Asks for a reason of a list. */
export function Reasons<R extends string>({ reasons, reason, missing, onChoose }: ReasonsProps<R>) {
  const isMissing = missing && reason === undefined
  return (
    <fieldset aria-describedby={isMissing ? 'why' : undefined}>
      <legend>Reason</legend>
      {isMissing && (
        <p id="why" class="wrong" role="alert">
          Choose a reason.
        </p>
      )}
      <div class="reasons">
        {reasons.map((each) => (
          <label class="option" key={each}>
            <input type="radio" name="reason" checked={reason === each} onChange={() => onChoose(each)} />
            {capital(words(each))}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

type GoneProps = {
  order: Order
  gone: ReadonlySet<string>
  onChange: (gone: ReadonlySet<string>) => void
}

function GoneItems({ order, gone, onChange }: GoneProps) {
  return (
    <fieldset>
      <legend>Mark unavailable</legend>
      {listItemsOfOrder(order).map(({ id, name }) => (
        <label class="option" key={id}>
          <input type="checkbox" checked={gone.has(id)} onChange={() => onChange(toggled(gone, id))} />
          {name}
        </label>
      ))}
    </fieldset>
  )
}

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return set.has(id) ? new Set([...set].filter((each) => each !== id)) : new Set([...set, id])
}

type ItemsProps = {
  order: Order | undefined
  menu: Menu
  now: number
  set: (item: CatalogItem, available: boolean) => Promise<ChangedItem>
  onClose: () => void
}

/** The menu: what is on sale, to take off and put back. With an order only its items. */
export function ItemsDialog({ order, menu, now, set, onClose }: ItemsProps) {
  const { items, problem, busy, changed, turn } = useItems(menu, set)
  const [search, setSearch] = useState('')
  const only = order && new Set(listItemsOfOrder(order).map(({ id }) => id))
  const shown = items?.filter(
    ({ item_id, name }) => only?.has(item_id) !== false && name.toLowerCase().includes(search.toLowerCase()),
  )
  return (
    <Dialog
      title={order === undefined ? 'Items on sale' : `Items of ${order.display_number}`}
      onClose={onClose}
    >
      <p class="soft">An unavailable item stays on the menu, but customers cannot order it.</p>
      {order === undefined && (
        <label class="field">
          Find an item
          <input type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
        </label>
      )}
      {problem !== undefined && (
        <p class="wrong" role="alert">
          {problem}
        </p>
      )}
      {changed !== undefined && <TouchedNote changed={changed} now={now} />}
      {shown === undefined && problem === undefined && <p role="status">Loading…</p>}
      <ul class="items" tabIndex={0} aria-label="Items">
        {shown?.map((item) => (
          <ItemLine
            key={item.item_id}
            item={item}
            busy={busy === item.item_id}
            now={now}
            onTurn={(isOnSale) => void turn(item, isOnSale)}
          />
        ))}
      </ul>
      {shown?.length === 0 && <p>No items match.</p>}
      {order === undefined && <LatestChanges store={menu.store} />}
      <div class="actions stays">
        <button type="button" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  )
}

/** Says which open orders have an item that was removed sale. */
function TouchedNote({ changed, now }: { changed: ChangedItem; now: number }) {
  const touched = touchedWords(changed, now)
  if (touched === undefined) return null
  return (
    <p class="note" role="status">
      <strong>{changed.name}</strong> Open orders have it: {touched}. They stay as they are.
    </p>
  )
}

function useItems({ items, problem, look, put }: Menu, set: ItemsProps['set']) {
  const [refused, setRefused] = useState<string>()
  const [busy, setBusy] = useState<string>()
  const [changed, setChanged] = useState<ChangedItem>()
  useEffect(look, [])
  const turn = async (item: CatalogItem, isOnSale: boolean): Promise<void> => {
    if (busy !== undefined) return
    setBusy(item.item_id)
    setRefused(undefined)
    try {
      const after = await set(item, isOnSale)
      put(after)
      setChanged(after)
    } catch (error) {
      setRefused(wordsOf(error))
    }
    setBusy(undefined)
  }
  // Once there is a menu, the page itself says that its service does not answer.
  return { items, problem: refused ?? (items === undefined ? problem : undefined), busy, changed, turn }
}

type LineProps = {
  item: CatalogItem
  busy: boolean
  now: number
  onTurn: (isOnSale: boolean) => void
}

function ItemLine({ item, busy, now, onTurn }: LineProps) {
  const { name, category, available_from: from } = item
  const isOnSale = comesBack(item) <= now
  return (
    <li>
      <span>
        {name}{' '}
        <span class="soft">
          {category.name}
          {from !== null && Date.parse(from) > now && `, on sale from ${dayAndTime(from)}`}
        </span>
      </span>
      <button
        type="button"
        role="switch"
        class="switch"
        aria-checked={isOnSale}
        aria-label={`${name} available`}
        aria-disabled={busy}
        onClick={() => onTurn(!isOnSale)}
      >
        {isOnSale ? 'Available' : 'Unavailable'}
      </button>
    </li>
  )
}
