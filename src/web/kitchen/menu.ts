/** The menu of the kitchen's store, read once for all who show it. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { hasScope } from '../core/session.ts'
import { type CatalogItem, loadItems } from './items.ts'

export type Menu = {
  store: string | undefined
  /** Undefined until they are known. */
  items: readonly CatalogItem[] | undefined
  /** The reason why it could not be read. */
  problem: string | undefined
  /** Reads it again. */
  look(): void
  /** Puts an item in the place of its former version. */
  put(item: CatalogItem): void
}

/** `changes` counts how often the menu changed: with each change it is read again. */
export function useMenu(store: string | undefined, changes: number): Menu {
  const [items, setItems] = useState<readonly CatalogItem[]>()
  const [problem, setProblem] = useState<string>()
  const reads = useRef(0)
  const look = (): void => {
    if (!hasScope('menu.read')) return
    const read = ++reads.current
    loadItems(store).then(
      (all) => {
        // An earlier read that is answered later is older than what is shown.
        if (read !== reads.current) return
        setItems(all)
        setProblem(undefined)
      },
      (error: unknown) => {
        if (read === reads.current) setProblem(wordsOf(error))
      },
    )
  }
  useEffect(look, [store, changes])
  const put = (item: CatalogItem): void =>
    setItems((before) => before?.map((each) => (each.item_id === item.item_id ? item : each)))
  return { store, items, problem, look, put }
}

/** Returns what an error says. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
