/** The tickets that were done last, shown again with their lines. Their state stays: the interface has no way back. */
import { useEffect, useState } from 'preact/hooks'
import { Dialog } from '../core/dialog.tsx'
import { loadDone } from './items.ts'
import { wordsOf } from './menu.ts'
import { capital, clockTime, type Order, words } from './order.ts'
import { bandWords, contentOf } from './rows.ts'
import { Row } from './ticket.tsx'

type RecallProps = { store: string | undefined; now: number; onClose: () => void }

export function RecallDialog({ store, now, onClose }: RecallProps) {
  const [orders, setOrders] = useState<readonly Order[]>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    loadDone(store).then(setOrders, (error: unknown) => setProblem(wordsOf(error)))
  }, [store])
  return (
    <Dialog title="Done last" onClose={onClose}>
      {problem !== undefined && (
        <p class="wrong" role="alert">
          {problem}
        </p>
      )}
      {orders === undefined && problem === undefined && <p role="status">Loading…</p>}
      {orders?.length === 0 && <p>No order was ready lately.</p>}
      <ul class="recalled" tabIndex={0} aria-label="Done last">
        {orders?.map((order) => (
          <li key={order.order_id}>
            <RecalledOrder order={order} now={now} />
          </li>
        ))}
      </ul>
      <div class="actions">
        <button type="button" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  )
}

function RecalledOrder({ order, now }: { order: Order; now: number }) {
  const { display_number, status, prep } = order
  const { warnings, cooked, gone, notes } = contentOf(order)
  return (
    <>
      <h3>
        <code>{display_number}</code> {capital(words(status))}
        <span class="soft">
          {prep.ready_at !== null && `ready ${clockTime(prep.ready_at)}, `}
          {bandWords(order, now)}
        </span>
      </h3>
      {warnings.map(({ word, text }) => (
        <p class="wrong">
          {word} <bdi>{text}</bdi>
        </p>
      ))}
      <ul class="lines">
        {[...cooked, ...gone].map((row) => (
          <li key={`${row.line_id} ${row.leaving}`} class={row.leaving === undefined ? 'row' : 'row gone'}>
            <Row row={row} />
          </li>
        ))}
      </ul>
      {notes.map(({ text }) => (
        <p class="soft">
          <bdi>{text}</bdi>
        </p>
      ))}
    </>
  )
}
