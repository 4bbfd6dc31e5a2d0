/** The keys of the wall, as a bump bar has them. A ticket is chosen by the focus of the keyboard. */
import { type RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export type KeyActions = {
  /** The ids of the orders in sight, in their order. */
  ids: readonly string[]
  /** Takes the next step of the chosen order. */
  step(id: string): void
  /** Accepts the new order that ends first. */
  acceptFirst(): void
  openMenu(id: string): void
  recall(): void
  turnPage(by: 1 | -1): void
}

/** Listens to the keys while the wall is shown. Text fields, dialogs and buttons have their own. */
export function useWallKeys(wall: RefObject<HTMLDivElement | null>, actions: KeyActions): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const { current: element } = wall
      if (element === null || event.ctrlKey || event.altKey || event.metaKey || isElsewhere(event)) return
      if (press(event.key, element, latest.current)) event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

function isElsewhere({ target }: KeyboardEvent): boolean {
  return (
    document.querySelector('dialog[open]') !== null ||
    (target instanceof Element && target.closest('input, select, textarea') !== null)
  )
}

/** The keys that need no chosen ticket. */
const KEYS: Readonly<Record<string, (actions: KeyActions) => void>> = {
  a: ({ acceptFirst }) => acceptFirst(),
  r: ({ recall }) => recall(),
  n: ({ turnPage }) => turnPage(1),
  PageDown: ({ turnPage }) => turnPage(1),
  PageUp: ({ turnPage }) => turnPage(-1),
}
const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** Returns whether the key did something. */
function press(key: string, wall: HTMLElement, actions: KeyActions): boolean {
  const { ids } = actions
  const chosen = document.activeElement?.closest('article')
  const id = chosen instanceof HTMLElement ? chosen.dataset['id'] : undefined
  if (/^[1-9]$/.test(key)) return choose(wall, ids[Number(key) - 1])
  if (Object.hasOwn(STEPS, key))
    return choose(wall, ids[id === undefined ? 0 : ids.indexOf(id) + (STEPS[key] ?? 0)])
  const work = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined
  if (work !== undefined) return done(() => work(actions))
  // On a button of a ticket Enter presses the button.
  const isOnTicket = chosen === document.activeElement
  return id !== undefined && pressOnTicket(key, id, isOnTicket, actions)
}

function pressOnTicket(key: string, id: string, isOnTicket: boolean, actions: KeyActions): boolean {
  if (key === 'Enter') return isOnTicket && done(() => actions.step(id))
  if (key === '.') return done(() => actions.openMenu(id))
  return key === 'Escape' && done(() => (document.activeElement as HTMLElement).blur())
}

function done(work: () => void): true {
  work()
  return true
}

/** Focuses a ticket. */
function choose(wall: HTMLElement, id: string | undefined): boolean {
  const ticket = [...wall.querySelectorAll<HTMLElement>('article')].find((each) => each.dataset['id'] === id)
  ticket?.focus()
  return ticket !== undefined
}
