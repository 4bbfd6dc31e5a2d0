import { useEffect, useState } from 'preact/hooks'
import { REJECT_REASONS } from '../../areas/orders/states.ts'
import { spellMoney } from '../../core/money.ts'
import { Dialog } from '../page/dialog.tsx'
import { may } from '../page/session.ts'
import type { CatalogItem } from './items.ts'
import { capital, type Order, words } from './order.ts'

type Reason = (typeof REJECT_REASONS)[number]

/** Asks why an order is rejected, and what of it has run out. */
export function RejectDialog({
  order,
  onReject,
  onClose,
}: {
  order: Order
  onReject: (body: Readonly<Record<string, unknown>>) => void
  onClose: () => void
}) {
  const [reason, setReason] = useState<Reason>()
  const [missing, setMissing] = useState(false)
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set())
  const [note, setNote] = useState('')
  const items = itemsOf(order)
  const asksItems = reason === 'item_unavailable' && may('menu.manage')
  const send = (event: Event): void => {
    event.preventDefault()
    if (reason === undefined) return setMissing(true)
    const ids = asksItems ? [...gone] : []
    onReject({
      reason_code: reason,
      ...(note.trim() !== '' && { note: note.trim() }),
      ...(ids.length > 0 && { item_ids: ids, mark_unavailable: true }),
    })
  }
  const paid = order.payment.status === 'paid' ? ` The customer gets ${spellMoney(order.total)} back.` : ''
  return (
    <Dialog title={`Reject ${order.display_number}?`} onClose={onClose}>
      <form onSubmit={send} noValidate>
        <p>This cannot be undone.{paid}</p>
        <fieldset aria-describedby={missing ? 'why' : undefined}>
          <legend>Why?</legend>
          {missing && reason === undefined && (
            <p id="why" class="wrong" role="alert">
              Choose a reason.
            </p>
          )}
          {REJECT_REASONS.map((each) => (
            <label class="option">
              <input type="radio" name="reason" checked={reason === each} onChange={() => setReason(each)} />
              {capital(words(each))}
            </label>
          ))}
        </fieldset>
        {asksItems && (
          <fieldset>
            <legend>Take off sale</legend>
            {items.map(({ id, name }) => (
              <label class="option">
                <input type="checkbox" checked={gone.has(id)} onChange={() => setGone(toggled(gone, id))} />
                {name}
              </label>
            ))}
          </fieldset>
        )}
        <label class="field">
          Note for the customer
          <input
            type="text"
            maxLength={300}
            value={note}
            onInput={(event) => setNote(event.currentTarget.value)}
          />
        </label>
        <div class="actions">
          <button type="submit" class="grave">
            Reject {order.display_number}
          </button>
          <button type="button" class="quiet" onClick={onClose}>
            Keep it
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return set.has(id) ? new Set([...set].filter((each) => each !== id)) : new Set([...set, id])
}

/** The items of an order, each once. */
function itemsOf({ lines }: Order): { id: string; name: string }[] {
  return [...new Map(lines.map(({ item_id, name }) => [item_id, { id: item_id, name }])).values()]
}

/** The menu: what is on sale, to take off and put back. With an order only its items. */
export function ItemsDialog({
  order,
  load,
  set,
  onClose,
}: {
  order: Order | undefined
  load: () => Promise<CatalogItem[]>
  set: (item: CatalogItem, available: boolean) => Promise<CatalogItem>
  onClose: () => void
}) {
  const [items, setItems] = useState<readonly CatalogItem[]>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState<string>()
  const [search, setSearch] = useState('')
  const tell = (error: unknown): void => setProblem(error instanceof Error ? error.message : String(error))
  useEffect(() => void load().then(setItems, tell), [])
  const only = order && new Set(order.lines.map(({ item_id }) => item_id))
  const shown = items?.filter(
    ({ item_id, name }) => only?.has(item_id) !== false && name.toLowerCase().includes(search.toLowerCase()),
  )
  const turn = async (item: CatalogItem): Promise<void> => {
    if (busy !== undefined) return
    setBusy(item.item_id)
    setProblem(undefined)
    try {
      const next = await set(item, !item.availability.available)
      setItems((before) => before?.map((each) => (each.item_id === next.item_id ? next : each)))
    } catch (error) {
      tell(error)
    }
    setBusy(undefined)
  }
  return (
    <Dialog title={order === undefined ? 'On sale' : `Items of ${order.display_number}`} onClose={onClose}>
      <p class="soft">An item that is off sale stays on the menu, and nobody can order it.</p>
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
      {shown === undefined && problem === undefined && <p role="status">Loading …</p>}
      <ul class="items">
        {shown?.map((item) => (
          <li key={item.item_id}>
            <span>
              {item.name} <span class="soft">{item.category.name}</span>
            </span>
            <button
              type="button"
              role="switch"
              class="switch"
              aria-checked={item.availability.available}
              aria-label={`${item.name} on sale`}
              aria-disabled={busy === item.item_id}
              onClick={() => void turn(item)}
            >
              {item.availability.available ? 'On sale' : 'Off sale'}
            </button>
          </li>
        ))}
      </ul>
      {shown?.length === 0 && <p>No item is called so.</p>}
      <div class="actions">
        <button type="button" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  )
}
