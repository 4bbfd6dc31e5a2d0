/** The bar at the top of the wall: the tabs with their counts, the store's state, the sound and the time. */
import type { ConnectionState } from '../core/live.ts'
import { ConnectionStatus } from '../core/state.tsx'
import { BackIcon, ListIcon, SoundIcon } from './icons.tsx'
import { clockTime, type Order, pausedWords } from './order.ts'
import type { StoreDay } from './store-day.ts'
import { countTabs, listTickets, timingOf, WALL_TABS, type WallTab } from './wall.ts'

export type BarProps = {
  orders: readonly Order[]
  now: number
  isFrozen: boolean
  hearing: ConnectionState | 'lost'
  tab: WallTab
  isSoundOn: boolean
  day: StoreDay
  onTab: (tab: WallTab) => void
  onSound: () => void
  onRecall: () => void
  onStore: () => void
  onMenu: () => void
}

export function Bar(props: BarProps) {
  const { now, isFrozen, hearing, isSoundOn, day } = props
  return (
    <>
      <Tabs {...props} />
      <div class="tools">
        <ConnectionStatus hearing={hearing} />
        <button type="button" class="quiet recall" aria-label="Recall" onClick={props.onRecall}>
          <BackIcon />
          <span class="wide-only">Recall</span>
        </button>
        <button
          type="button"
          class={day.pausedUntil === undefined ? 'quiet open' : 'quiet open paused'}
          onClick={props.onStore}
        >
          {storeWords(day, now)}
        </button>
        <button
          type="button"
          class={isSoundOn ? 'quiet' : 'quiet silent'}
          aria-pressed={isSoundOn}
          aria-label={isSoundOn ? 'Sound' : 'Sound is off'}
          onClick={props.onSound}
        >
          <SoundIcon isOn={isSoundOn} />
          {!isSoundOn && <span>Sound is off</span>}
        </button>
        <button type="button" class="quiet" aria-label="Menu" onClick={props.onMenu}>
          <ListIcon />
        </button>
        <p class="clock">
          <span class="hidden">Server time: </span>
          {clockTime(now)}
          <small class={isFrozen ? 'frozen' : ''}>{isFrozen ? '❚❚ frozen' : dayWords(now)}</small>
        </p>
      </div>
    </>
  )
}

/** `Open, +15 min`, `Paused until 14:05`, `Closed`. */
function storeWords({ pausedUntil, isOpen, busyMinutes }: StoreDay, now: number): string {
  if (pausedUntil !== undefined) return pausedWords(pausedUntil, now)
  if (isOpen === undefined) return 'Store'
  return `${isOpen ? 'Open' : 'Closed'}${busyMinutes > 0 ? `, +${busyMinutes} min` : ''}`
}

/** `Sat 28 Nov`. */
function dayWords(now: number): string {
  const day = { weekday: 'short', day: 'numeric', month: 'short' } as const
  return new Intl.DateTimeFormat('en-GB', day).format(new Date(now)).replace(',', '')
}

/** The counts of all tabs. That of new orders says that one presses, also while another tab is open. */
function Tabs({ orders, now, tab, onTab }: BarProps) {
  const counts = countTabs(orders, now)
  const [first] = listTickets(orders, 'new', now)
  const mood = first === undefined ? 'calm' : timingOf(first, now).mood
  return (
    <div class="tabs" role="group" aria-label="Orders">
      {WALL_TABS.map(({ id, title }) => (
        <button
          type="button"
          key={id}
          class={`quiet${counts[id] === 0 ? ' zero' : ''}${id === 'new' ? ` ${mood}` : ''}`}
          aria-pressed={tab === id}
          onClick={() => onTab(id)}
        >
          {title} <b>{counts[id]}</b>
        </button>
      ))}
    </div>
  )
}
