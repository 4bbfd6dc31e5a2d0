import { AREAS } from '../../core/areas.ts'
import type { AnyOperation } from '../../core/operation.ts'

/** A page of operations: its path, title and first sentence. */
export type OperationsPage = { path: string; title: string; lead: string; operations: AnyOperation[] }

/** The path of the page of the control calls. */
export const CONTROLS_PATH = '/docs/sandbox'

/** Returns the path of the page on which an operation stands. */
export function pathOf({ area, toolset }: Pick<AnyOperation, 'area' | 'toolset'>): string {
  return `/docs/${toolset === undefined ? area : 'beside'}`
}

/**
 * Returns the pages of all operations: those of the interface by area, then one of the calls beside it. A reader who copies
 * the examples from top to bottom makes the calls in the order in which they were made.
 */
export function listPages(operations: readonly AnyOperation[]): OperationsPage[] {
  return [...Map.groupBy(operations, pathOf)].map(([path, own]) => {
    const area = own.find(({ toolset }) => toolset === undefined)?.area
    return {
      path,
      title: area === undefined ? 'Beside the interface' : AREAS[area].title,
      lead:
        area === undefined
          ? 'After a sale, a store’s day, a parcel’s life, and events.'
          : AREAS[area].summary,
      operations: own,
    }
  })
}
