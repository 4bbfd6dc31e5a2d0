/** The kitchen page: a store's orders in columns, for a wall or a phone. */
import { render } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { ORDER_STAGES } from '../../areas/orders/rules/stages.ts'
import { allowChime, chime, keepAwake, silence } from '../core/chime.ts'
import { makeClock } from '../core/clock.ts'
import { restoreLostFocus } from '../core/focus.ts'
import { type ConnectionState, listen } from '../core/live.ts'
import { Notices } from '../core/notices.tsx'
import { Portal } from '../core/portal.tsx'
import { hasScope, SESSION } from '../core/session.ts'
import { ConnectionStatus, SignedOutNotice } from '../core/state.tsx'
import { AdjustDialog } from './adjust.tsx'
import { Card, type CardActions } from './card.tsx'
import { ItemsDialog, RejectDialog } from './dialogs.tsx'
import { loadLost, loadOrder, loadOrders, loadProblems, sendAction, setOnSale } from './items.ts'
import { type PendingDialog, type Kitchen, NOTHING, type KitchenController, runKitchen } from './kitchen.ts'
import { type Menu, useMenu } from './menu.ts'
import { clockTime, inColumn, type Order, timeOn } from './order.ts'
import { type Pause, PauseBanner, usePause } from './pause.tsx'
import { acknowledgedHere, Pins } from './pinned.tsx'
import { ProblemsDialog } from './problems.tsx'
import { Ticket } from './ticket.tsx'

const STORE = 'dray kitchen store'

/** An open dialog: the items to put on sale or take off, all of a store or those of an order, or the problems to answer. */
type OpenDialog = { of: 'items'; order: Order | undefined } | { of: 'problems' }

function Page() {
  const [opened, open] = useState<OpenDialog>()
  const { printed, print } = usePrinting()
  const { kitchen, running, clock, hearing, store, choose, menuChanges } = useKitchen()
  const { sound, turnSound } = useSound()
  const menu = useMenu(store, menuChanges)
  const pause = usePause(store, menuChanges, () => clock.now())
  const { orders, lostSince } = kitchen
  const actions: CardActions = {
    act: (action, order, body) => void running.act(action, order, body),
    ask: running.ask,
    offSale: (order) => open({ of: 'items', order }),
    print,
  }
  return (
    <>
      <Portal id="state">
        {!kitchen.signedOut && (
          <Bar
            time={orders === undefined ? undefined : clock.now()}
            frozen={clock.isFrozen()}
            hearing={lostSince === undefined ? hearing : 'lost'}
            sound={sound}
            onSound={() => void turnSound()}
            onItems={() => open({ of: 'items', order: undefined })}
          />
        )}
      </Portal>
      {lostSince !== undefined && <SilenceBanner since={lostSince} now={clock.now()} />}
      {!kitchen.signedOut && <PauseBanner pause={pause} now={clock.now()} />}
      <h1 class="hidden">Kitchen</h1>
      {!kitchen.signedOut && (
        <Pins
          kitchen={kitchen}
          now={clock.now()}
          onAcknowledge={running.acknowledge}
          onAnswer={() => open({ of: 'problems' })}
        />
      )}
      <Content kitchen={kitchen} now={clock.now()} actions={actions} sound={sound} onChoose={choose} />
      <Notices notices={kitchen.notices} onDismiss={running.dismiss} />
      {!kitchen.signedOut && (
        <Question
          kitchen={kitchen}
          opened={opened}
          menu={menu}
          pause={pause}
          now={clock.now()}
          running={running}
          onClose={() => open(undefined)}
        />
      )}
      <Portal id="print">{printed !== undefined && <Ticket order={printed} now={clock.now()} />}</Portal>
    </>
  )
}

function SilenceBanner({ since, now }: { since: number; now: number }) {
  return (
    <p class="banner" role="alert">
      The server does not respond. Showing orders as of {timeOn(since, now)}. Trying again…
    </p>
  )
}

/** An order is on the page for its ticket only while it is printed. */
function usePrinting() {
  const [printed, print] = useState<Order>()
  useEffect(() => {
    if (printed === undefined) return
    window.print()
    print(undefined)
  }, [printed])
  return { printed, print }
}

type BarProps = {
  time: number | undefined
  frozen: boolean
  hearing: ConnectionState | 'lost'
  sound: boolean
  onSound: () => void
  onItems: () => void
}

function Bar({ time, frozen, hearing, sound, onSound, onItems }: BarProps) {
  return (
    <>
      {time !== undefined && (
        <p class="clock">
          <span class="hidden">Server time: </span>
          {clockTime(time)}
          {frozen && <span> frozen</span>}
        </p>
      )}
      <ConnectionStatus hearing={hearing} />
      {hasScope('menu.manage') && (
        <button type="button" class="quiet small" onClick={onItems}>
          Menu…
        </button>
      )}
      <button type="button" class="quiet small" aria-pressed={sound} onClick={onSound}>
        Chime {sound ? 'on' : 'off'}
      </button>
    </>
  )
}

/** Runs the kitchen while the page is open, and renders it again each second. */
function useKitchen() {
  const [kitchen, setKitchen] = useState<Kitchen>(NOTHING)
  const [hearing, setHearing] = useState<ConnectionState>('polling')
  const [store, setStore] = useState(localStorage.getItem(STORE) ?? undefined)
  const [menuChanges, setMenuChanges] = useState(0)
  const [, setTick] = useState(0)
  const { clock, running } = useMemo(() => {
    const made = makeClock()
    const calls = { load: loadOrders, loadLost, loadProblems, loadOne: loadOrder, send: sendAction }
    const deps = { clock: made, ring: chime, acknowledged: acknowledgedHere() }
    const show = { elapsed: () => performance.now(), show: setKitchen }
    return { clock: made, running: runKitchen({ ...calls, ...deps, ...show }, store) }
  }, [])
  useEffect(() => {
    void running.refresh()
    const end = listen({
      page: 'kitchen',
      build: SESSION.build,
      onChange(changes) {
        // Without changes the page shall look at everything.
        if (changes.length === 0 || changes.some(({ type }) => /^(?:catalog_item|store)\./.test(type)))
          setMenuChanges((count) => count + 1)
        void running.refresh()
      },
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
  const choose = (id: string): void => {
    localStorage.setItem(STORE, id)
    setStore(id)
    running.choose(id)
  }
  return { kitchen, running, clock, hearing, store, choose, menuChanges }
}

/** The chime, and a screen that stays on with it. */
function useSound() {
  const [sound, setSound] = useState(false)
  useEffect(() => (sound ? keepAwake() : undefined), [sound])
  const turnSound = async (): Promise<void> => {
    if (sound) silence()
    else {
      await allowChime()
      chime('news')
    }
    setSound(!sound)
  }
  return { sound, turnSound }
}

type ContentProps = {
  kitchen: Kitchen
  now: number
  actions: CardActions
  sound: boolean
  onChoose: (store: string) => void
}

function Content({ kitchen, now, actions, sound, onChoose }: ContentProps) {
  const { orders, stores, refused, signedOut, busy } = kitchen
  if (signedOut) return <SignedOutNotice page="kitchen" />
  if (stores !== undefined)
    return (
      <div class="card">
        <h2>Choose a store</h2>
        <div class="actions">
          {stores.map(({ id, name }) => (
            <button type="button" key={id} onClick={() => onChoose(id)}>
              {name}
            </button>
          ))}
        </div>
      </div>
    )
  if (refused !== undefined)
    return (
      <div class="card" role="alert">
        <h2>The orders cannot be shown</h2>
        <p>{refused}</p>
      </div>
    )
  if (orders === undefined)
    return (
      <p class="waiting" role="status">
        Loading…
      </p>
    )
  return <Columns orders={orders} now={now} busy={busy} actions={actions} sound={sound} />
}

type QuestionProps = {
  kitchen: Kitchen
  opened: OpenDialog | undefined
  menu: Menu
  pause: Pause
  now: number
  running: KitchenController
  onClose: () => void
}

function Question({ kitchen: { asked, problems }, opened, ...rest }: QuestionProps) {
  const { menu, pause, now, running, onClose } = rest
  if (asked !== undefined) return <AskedDialog asked={asked} {...rest} />
  if (opened === undefined) return null
  if (opened.of === 'problems')
    return <ProblemsDialog problems={problems ?? []} onChange={running.change} onClose={onClose} />
  return (
    <ItemsDialog order={opened.order} menu={menu} pause={pause} now={now} set={setOnSale} onClose={onClose} />
  )
}

function AskedDialog({
  asked: { about, order },
  menu,
  running,
}: {
  asked: PendingDialog
  menu: Menu
  running: KitchenController
}) {
  const end = (): void => running.ask(undefined)
  if (about === 'adjust')
    return (
      <AdjustDialog
        key={order.order_id}
        order={order}
        menu={menu}
        onChange={running.change}
        onReject={() => running.ask({ about: 'reject', order })}
        onClose={end}
      />
    )
  return (
    <RejectDialog
      order={order}
      onClose={end}
      onReject={(body) => {
        end()
        void running.act('reject', order, body)
      }}
    />
  )
}

type ColumnsProps = {
  orders: readonly Order[]
  now: number
  busy: ReadonlySet<string>
  actions: CardActions
  sound: boolean
}

function Columns({ orders, now, busy, actions, sound }: ColumnsProps) {
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
      {ORDER_STAGES.map(({ status, title }) => {
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

const main = document.getElementById('page')
if (main !== null) {
  main.replaceChildren()
  restoreLostFocus()
  render(<Page />, main)
}
