/** The kitchen page: a store's orders as tickets of a wall, or of a phone. */
import { render } from 'preact'
import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { restoreLostFocus } from '../core/focus.ts'
import { POLL_MS } from '../core/live.ts'
import { Notices } from '../core/notices.tsx'
import { Portal } from '../core/portal.tsx'
import { SignedOutNotice } from '../core/state.tsx'
import { AdjustDialog } from './adjust.tsx'
import { Bar } from './bar.tsx'
import { ItemsDialog, RejectDialog } from './dialogs.tsx'
import { setOnSale } from './items.ts'
import type { PendingDialog, Kitchen, KitchenController } from './kitchen.ts'
import type { Letters } from './layout.ts'
import { LossLine, LostDialog } from './loss-line.tsx'
import { type Menu, useMenu } from './menu.ts'
import { OrderMenu, type OrderMenuActions } from './order-menu.tsx'
import { clockSeconds, type Order, urgentOrders } from './order.ts'
import { ProblemsDialog } from './problems.tsx'
import { RecallDialog } from './recall.tsx'
import { useKitchen, usePrinting } from './run.ts'
import { PrintedTicket } from './slip.tsx'
import { StartDialog, useSound, type WallSound } from './start.tsx'
import { type StoreDay, useStoreDay } from './store-day.ts'
import { PauseBanner, StoreDialog } from './store-dialog.tsx'
import type { TicketActions } from './ticket.tsx'
import { WallMenu } from './wall-menu.tsx'
import { Wall } from './wall-view.tsx'
import type { WallTab } from './wall.ts'

const LETTERS = 'dray kitchen letters'

/** An open dialog. The items are all of a store, or those of an order. */
type OpenDialog =
  | { of: 'items'; order: Order | undefined }
  | { of: 'order'; orderId: string }
  | { of: 'problems' | 'lost' | 'store' | 'menu' | 'recall' }

function Page() {
  const [opened, open] = useState<OpenDialog>()
  const { printed, print } = usePrinting()
  const { kitchen, running, clock, hearing, store, choose, menuChanges } = useKitchen()
  const sound = useSound()
  const menu = useMenu(store, menuChanges)
  const day = useStoreDay(store, menuChanges, () => clock.now())
  const actions = useMemo(() => makeActions(running, open, print), [])
  const now = clock.now()
  useBodyState(kitchen, now)
  const shared = { kitchen, running, clock, hearing, day, now, opened, menu, store, sound, actions, open }
  return (
    <>
      {kitchen.lostSince !== undefined && (
        <LossOfConnection kitchen={kitchen} onTry={() => void running.refresh()} />
      )}
      {!kitchen.signedOut && <PauseBanner day={day} now={now} />}
      <h1 class="hidden">Kitchen</h1>
      {isShown(kitchen) ? <ShownWall {...shared} /> : <NoWall kitchen={kitchen} onChoose={choose} />}
      <Notices notices={kitchen.notices} onDismiss={running.dismiss} />
      <Portal id="print">
        {printed !== undefined && <PrintedTicket order={printed} store={day.name} now={now} />}
      </Portal>
    </>
  )
}

type WallActions = OrderMenuActions & TicketActions

/** Makes what tickets and their menus can do. */
function makeActions(
  running: KitchenController,
  open: (dialog: OpenDialog) => void,
  print: (order: Order) => void,
): WallActions {
  return {
    act: (action, order, body) => void running.act(action, order, body),
    openMenu: ({ order_id }) => open({ of: 'order', orderId: order_id }),
    ask: running.ask,
    offSale: (order) => open({ of: 'items', order }),
    print,
    silence: ({ order_id }) => running.silence(order_id),
  }
}

/** The frame and the colours of the page follow its state. */
function useBodyState(kitchen: Kitchen, now: number): void {
  const { orders = [], lostSince } = kitchen
  useLayoutEffect(() => {
    const { classList } = document.body
    const isWall = isShown(kitchen)
    classList.toggle('on-wall', isWall)
    classList.toggle('is-down', isWall && lostSince !== undefined)
    classList.toggle('is-urgent', isWall && urgentOrders(orders, now).length > 0)
  })
}

type ShownWallProps = Pick<
  ReturnType<typeof useKitchen>,
  'kitchen' | 'running' | 'clock' | 'hearing' | 'store'
> & {
  day: StoreDay
  now: number
  opened: OpenDialog | undefined
  menu: Menu
  sound: WallSound
  actions: WallActions
  open: (dialog: OpenDialog | undefined) => void
}

/** The bar, the line of losses, the tickets, and the dialog that is open. */
function ShownWall(props: ShownWallProps) {
  const { kitchen, running, clock, hearing, day, now, sound, actions, open } = props
  const [tab, setTab] = useState<WallTab>('all')
  const [letters, setLetters] = useState((localStorage.getItem(LETTERS) ?? 'fit') as Letters)
  const { orders = [], lostSince, busy, silenced } = kitchen
  const onLetters = (chosen: Letters): void => {
    localStorage.setItem(LETTERS, chosen)
    setLetters(chosen)
  }
  const onRecall = (): void => open({ of: 'recall' })
  return (
    <>
      <Portal id="state">
        <Bar
          {...{ orders, now, tab, day, onRecall }}
          isFrozen={clock.isFrozen()}
          hearing={lostSince === undefined ? hearing : 'lost'}
          isSoundOn={sound.state === 'on'}
          onTab={setTab}
          onSound={() => (sound.state === 'on' ? sound.turnOff() : void sound.turnOn())}
          onStore={() => open({ of: 'store' })}
          onMenu={() => open({ of: 'menu' })}
        />
      </Portal>
      <LossLine
        kitchen={kitchen}
        now={now}
        onLost={() => open({ of: 'lost' })}
        onSeen={running.acknowledge}
        onAnswer={() => open({ of: 'problems' })}
      />
      <Wall {...{ orders, now, tab, letters, busy, silenced, actions, onRecall }} />
      <OpenedDialog {...props} {...{ letters, onLetters }} onOpen={open} onClose={() => open(undefined)} />
      {sound.state === 'asking' && <StartDialog sound={sound} />}
    </>
  )
}

/** Returns whether there are orders to show. */
function isShown({ orders, stores, refused, signedOut }: Kitchen): boolean {
  return orders !== undefined && stores === undefined && refused === undefined && !signedOut
}

/** Says since when there is no connection, and when it is tried again. */
function LossOfConnection({
  kitchen: { lostSince = 0, triedAt },
  onTry,
}: {
  kitchen: Kitchen
  onTry: () => void
}) {
  const seconds = Math.max(0, Math.ceil((triedAt + POLL_MS - performance.now()) / 1000))
  return (
    <div class="banner down" role="alert">
      <p>
        No connection since {clockSeconds(lostSince)}. New orders neither show nor ring.{' '}
        <span aria-live="off">{seconds > 0 ? `Trying again in ${seconds} s.` : 'Trying again…'}</span>
      </p>
      <button type="button" onClick={onTry}>
        Try now
      </button>
    </div>
  )
}

/** The page without a wall: signed out, several stores to choose from, an error, or not known yet. */
function NoWall({ kitchen, onChoose }: { kitchen: Kitchen; onChoose: (store: string) => void }) {
  const { stores, refused, signedOut } = kitchen
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
  return (
    <p class="waiting" role="status">
      Loading…
    </p>
  )
}

type DialogProps = {
  kitchen: Kitchen
  opened: OpenDialog | undefined
  menu: Menu
  day: StoreDay
  store: string | undefined
  now: number
  running: KitchenController
  actions: OrderMenuActions
  letters: Letters
  onOpen: (dialog: OpenDialog) => void
  onLetters: (letters: Letters) => void
  onClose: () => void
}

/** A question about an order goes before any other dialog. */
function OpenedDialog(props: DialogProps) {
  const { kitchen, opened, menu, now, running, onClose } = props
  if (kitchen.asked !== undefined) return <AskedDialog asked={kitchen.asked} menu={menu} running={running} />
  if (opened === undefined) return null
  if (opened.of === 'items')
    return <ItemsDialog order={opened.order} menu={menu} now={now} set={setOnSale} onClose={onClose} />
  if (opened.of === 'order') return <OpenedOrder {...props} orderId={opened.orderId} />
  return <OpenedList {...props} of={opened.of} />
}

/** The menu of an order ends with its order. */
function OpenedOrder({ kitchen, orderId, now, actions, onClose }: DialogProps & { orderId: string }) {
  const order = kitchen.orders?.find(({ order_id }) => order_id === orderId)
  if (order === undefined) return null
  const isSilenced = kitchen.silenced.has(orderId)
  return <OrderMenu {...{ order, now, isSilenced, actions, onClose }} />
}

type ListName = Exclude<OpenDialog['of'], 'items' | 'order'>

function OpenedList(props: DialogProps & { of: ListName }) {
  const { of, kitchen, day, store, now, running, letters, onOpen, onLetters, onClose } = props
  const onItems = (): void => onOpen({ of: 'items', order: undefined })
  switch (of) {
    case 'problems':
      return <ProblemsDialog problems={kitchen.problems ?? []} onChange={running.change} onClose={onClose} />
    case 'lost':
      return <LostDialog lost={kitchen.lost} now={now} onSeen={running.acknowledge} onClose={onClose} />
    case 'store':
      return <StoreDialog {...{ day, now, onItems, onClose }} />
    case 'recall':
      return <RecallDialog store={store} now={now} onClose={onClose} />
    case 'menu':
      return (
        <WallMenu {...{ letters, onLetters, onItems, onClose }} onRecall={() => onOpen({ of: 'recall' })} />
      )
  }
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

const main = document.getElementById('page')
if (main !== null) {
  main.replaceChildren()
  restoreLostFocus()
  render(<Page />, main)
}
