/** The wall: whole tickets in the order in which something is lost, and the foot line of those that are not in sight. */
import { type RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useWallKeys } from './keys.ts'
import { type Letters, useWallLayout, type WallView } from './layout.ts'
import type { Order } from './order.ts'
import { stepOf, Ticket, type TicketActions } from './ticket.tsx'
import { hiddenWords, listTickets, stateOf, type WallTab } from './wall.ts'

type WallProps = {
  orders: readonly Order[]
  now: number
  tab: WallTab
  letters: Letters
  busy: ReadonlySet<string>
  silenced: ReadonlySet<string>
  actions: TicketActions
  onRecall: () => void
}

/** The most tickets that have a key. */
const MAX_KEYS = 9

export function Wall({ orders, now, tab, letters, busy, silenced, actions, onRecall }: WallProps) {
  const wall = useRef<HTMLDivElement>(null)
  const [page, setPage] = useState(0)
  useEffect(() => setPage(0), [tab])
  const list = listTickets(orders, tab, now)
  const ids = list.map(({ order_id }) => order_id)
  const states = list.map((order) => stateOf(order, now)).join()
  const view = useWallLayout({ wall, ids, changes: [orders, states], letters, page })
  useStableFocus(wall)
  const turnPage = (by: number): void => setPage((view.page + by + view.pages) % view.pages)
  const byId = new Map(list.map((order) => [order.order_id, order]))
  useWallKeys(wall, {
    ids: view.ids,
    step: (id) => takeStep(byId.get(id), now, actions),
    acceptFirst: () =>
      takeStep(
        list.find((order) => order.status === 'placed'),
        now,
        actions,
      ),
    openMenu(id) {
      const order = byId.get(id)
      if (order !== undefined) actions.openMenu(order)
    },
    recall: onRecall,
    turnPage,
  })
  const places = useMemo(() => new Map(view.ids.slice(0, MAX_KEYS).map((id, at) => [id, at + 1])), [view.ids])
  return (
    <div class="stage">
      <div class="room">
        <div class="wall" ref={wall} role="region" aria-label="Tickets">
          {list.map((order) => (
            <Ticket
              key={order.order_id}
              order={order}
              now={now}
              place={view.isPhone ? undefined : places.get(order.order_id)}
              isBusy={busy.has(order.order_id)}
              isSilenced={silenced.has(order.order_id) && order.status === 'placed'}
              actions={actions}
            />
          ))}
        </div>
        {list.length === 0 && <Emptiness isElsewhere={orders.length > 0} />}
      </div>
      <Foot list={list} now={now} view={view} onTurn={turnPage} onDown={() => scrollOn(wall.current)} />
    </div>
  )
}

/** A ticket that moves in the list, such as one that is ready, keeps the focus of the keyboard. */
function useStableFocus(wall: RefObject<HTMLElement | null>): void {
  const before = document.activeElement
  useLayoutEffect(() => {
    if (!(before instanceof HTMLElement) || document.activeElement !== document.body) return
    if (wall.current?.contains(before) === true) before.focus({ preventScroll: true })
  })
}

function takeStep(order: Order | undefined, now: number, { act }: TicketActions): void {
  const step = order && stepOf(order, stateOf(order, now))
  if (order !== undefined && step !== undefined) act(step.action, order, step.body)
}

function Emptiness({ isElsewhere }: { isElsewhere: boolean }) {
  return (
    <div class="nothing" role="status">
      <p>{isElsewhere ? 'Nothing here.' : 'No orders now.'}</p>
      <p>{isElsewhere ? 'The other tabs have some.' : 'A new one appears here by itself.'}</p>
    </div>
  )
}

/** Less than the height of the room, so that a ticket which was cut is whole then. */
const KEPT_PX = 60

function scrollOn(wall: HTMLElement | null): void {
  const room = wall?.closest('.room')
  room?.scrollBy({ top: room.clientHeight - KEPT_PX })
}

type FootProps = {
  list: readonly Order[]
  now: number
  view: WallView
  onTurn: (by: 1 | -1) => void
  onDown: () => void
}

/** Says how many tickets are not in sight, and what is lost next among them. */
function Foot({ list, now, view, onTurn, onDown }: FootProps) {
  const { ids, isPhone, page, pages } = view
  const inSight = new Set(ids)
  const said = hiddenWords(
    list.filter(({ order_id }) => !inSight.has(order_id)),
    now,
  )
  if (list.length === 0 || (said === undefined && !isPhone)) return null
  return (
    <div class={`fold ${said?.mood ?? 'calm'}`} role="group" aria-label="Not in sight">
      <p>{said?.text ?? 'All in sight'}</p>
      {isPhone && said !== undefined && (
        <button type="button" class="quiet" onClick={onDown}>
          Down ↓
        </button>
      )}
      {pages > 1 && (
        <>
          {page > 0 && (
            <button type="button" class="quiet" onClick={() => onTurn(-1)}>
              ‹ Back
            </button>
          )}
          <button type="button" class="quiet" onClick={() => onTurn(1)}>
            {page + 1} of {pages}, next ›
          </button>
        </>
      )}
    </div>
  )
}
