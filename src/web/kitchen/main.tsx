/** The kitchen page: a store's orders in columns, for a wall or a phone. */
import { render } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { allowChime, chime, keepAwake } from '../page/chime.ts'
import { makeClock } from '../page/clock.ts'
import { Elsewhere } from '../page/elsewhere.tsx'
import { type Hearing, listen } from '../page/live.ts'
import { may, SESSION } from '../page/session.ts'
import { Card, type CardActions } from './card.tsx'
import { ItemsDialog, RejectDialog } from './dialogs.tsx'
import { loadItems, loadOrder, loadOrders, sendAction, setOnSale } from './items.ts'
import { type Kitchen, NOTHING, type Notice, runKitchen } from './kitchen.ts'
import { clockTime, COLUMNS, inColumn, type Order } from './order.ts'
import { Ticket } from './ticket.tsx'

const STORE = 'dray kitchen store'

type Asked = { about: 'reject'; order: Order } | { about: 'items'; order: Order | undefined }

function Page() {
  const [kitchen, setKitchen] = useState<Kitchen>(NOTHING)
  const [hearing, setHearing] = useState<Hearing>('polling')
  const [sound, setSound] = useState(false)
  const [asked, setAsked] = useState<Asked>()
  const [printed, setPrinted] = useState<Order>()
  const [store, setStore] = useState(localStorage.getItem(STORE) ?? undefined)
  const [, setTick] = useState(0)

  const clock = useMemo(() => makeClock(), [])
  const running = useMemo(
    () =>
      runKitchen(
        {
          load: loadOrders,
          loadOne: loadOrder,
          send: sendAction,
          clock,
          elapsed: () => performance.now(),
          ring: chime,
          show: setKitchen,
        },
        store,
      ),
    [],
  )

  useEffect(() => {
    void running.refresh()
    const end = listen({
      page: 'kitchen',
      build: SESSION.build,
      onChange: () => void running.refresh(),
      onTime: (time) => clock.tell(time),
      onHearing: setHearing,
    })
    const timer = setInterval(() => {
      running.tick()
      setTick((tick) => tick + 1)
    }, 1000)
    return () => {
      end()
      clearInterval(timer)
    }
  }, [])
  useEffect(() => (sound ? keepAwake() : undefined), [sound])
  useEffect(() => {
    if (printed === undefined) return
    window.print()
    setPrinted(undefined)
  }, [printed])

  const { orders, stores, refused, lostSince, signedOut, busy, notices } = kitchen
  const now = clock.now()
  const actions: CardActions = {
    act: (action, order, body) => void running.act(action, order, body),
    reject: (order) => setAsked({ about: 'reject', order }),
    offSale: (order) => setAsked({ about: 'items', order }),
    print: setPrinted,
  }
  const turnSound = async (): Promise<void> => {
    if (!sound) {
      await allowChime()
      chime('news')
    }
    setSound(!sound)
  }
  const choose = (id: string): void => {
    localStorage.setItem(STORE, id)
    setStore(id)
    running.choose(id)
  }

  return (
    <>
      <Elsewhere id="state">
        <p class="clock">
          <span class="hidden">Time of the service: </span>
          {orders === undefined ? '' : clockTime(now)}
          {orders !== undefined && clock.isFrozen() && <span> clock stopped</span>}
        </p>
        <p class={`hearing ${lostSince === undefined ? hearing : 'lost'}`} role="status">
          {lostSince === undefined ? (hearing === 'live' ? 'Live' : 'Asking every 5 s') : 'No answer'}
        </p>
        {may('menu.manage') && (
          <button
            type="button"
            class="quiet small"
            onClick={() => setAsked({ about: 'items', order: undefined })}
          >
            On sale …
          </button>
        )}
        <button type="button" class="quiet small" aria-pressed={sound} onClick={() => void turnSound()}>
          Chime {sound ? 'on' : 'off'}
        </button>
      </Elsewhere>
      {lostSince !== undefined && (
        <p class="banner" role="alert">
          The service does not answer. You see the orders of {clockTime(lostSince)}. Trying again …
        </p>
      )}
      <h1 class="hidden">Kitchen</h1>
      {signedOut ? (
        <SignedOutCard />
      ) : stores !== undefined ? (
        <div class="card">
          <h2>Which store?</h2>
          <div class="actions">
            {stores.map(({ id, name }) => (
              <button type="button" onClick={() => choose(id)}>
                {name}
              </button>
            ))}
          </div>
        </div>
      ) : refused !== undefined ? (
        <div class="card" role="alert">
          <h2>The orders cannot be shown</h2>
          <p>{refused}</p>
        </div>
      ) : orders === undefined ? (
        <p class="waiting" role="status">
          Loading …
        </p>
      ) : (
        <Columns orders={orders} now={now} busy={busy} actions={actions} sound={sound} />
      )}
      <Notices notices={notices} onDismiss={running.dismiss} />
      {asked?.about === 'reject' && (
        <RejectDialog
          order={asked.order}
          onClose={() => setAsked(undefined)}
          onReject={(body) => {
            setAsked(undefined)
            void running.act('reject', asked.order, body)
          }}
        />
      )}
      {asked?.about === 'items' && (
        <ItemsDialog
          order={asked.order}
          load={() => loadItems(asked.order?.merchant_id ?? store)}
          set={setOnSale}
          onClose={() => setAsked(undefined)}
        />
      )}
      <Elsewhere id="print">{printed !== undefined && <Ticket order={printed} />}</Elsewhere>
    </>
  )
}

function Columns({
  orders,
  now,
  busy,
  actions,
  sound,
}: {
  orders: readonly Order[]
  now: number
  busy: ReadonlySet<string>
  actions: CardActions
  sound: boolean
}) {
  if (orders.length === 0)
    return (
      <div class="nothing" role="status">
        <p>No orders now.</p>
        <p>
          A new one appears here by itself{sound ? ', with a chime' : '. Turn on the chime to hear it, too'}.
        </p>
      </div>
    )
  return (
    <div class="columns">
      {COLUMNS.map(({ status, title }) => {
        const column = inColumn(orders, status)
        return (
          <section
            key={status}
            class={column.length === 0 ? `column ${status} none` : `column ${status}`}
            aria-labelledby={`column-${status}`}
          >
            <h2 id={`column-${status}`}>
              {title} <span class="count">{column.length}</span>
            </h2>
            <div class="stack">
              {column.map((order) => (
                <Card
                  key={order.order_id}
                  order={order}
                  now={now}
                  busy={busy.has(order.order_id)}
                  actions={actions}
                />
              ))}
            </div>
          </section>
        )
      })}
    </div>
  )
}

function SignedOutCard() {
  return (
    <div class="card" role="alert">
      <h2>This browser is signed out</h2>
      <p>Its session is over, or its login was ended. A new link signs it in again:</p>
      <p class="command">
        <code>dray open kitchen --base-url {location.origin}</code>
      </p>
    </div>
  )
}

/** What was done or went wrong stays until it is closed; news goes by itself. */
function Notices({ notices, onDismiss }: { notices: readonly Notice[]; onDismiss: (id: number) => void }) {
  return (
    <div class="notices" role="log" aria-live="polite" aria-label="What happened">
      {notices.map((notice) => (
        <NoticeLine key={notice.id} notice={notice} onDismiss={onDismiss} />
      ))}
    </div>
  )
}

const STAYS_MS = 8_000

function NoticeLine({
  notice: { id, kind, text },
  onDismiss,
}: {
  notice: Notice
  onDismiss: (id: number) => void
}) {
  useEffect(() => {
    if (kind === 'refused') return
    const timer = setTimeout(() => onDismiss(id), STAYS_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div class={`notice ${kind}`}>
      <p>{text}</p>
      <button type="button" class="quiet" aria-label={`Close: ${text}`} onClick={() => onDismiss(id)}>
        Close
      </button>
    </div>
  )
}

const main = document.getElementById('page')
if (main !== null) {
  main.replaceChildren()
  render(<Page />, main)
}
