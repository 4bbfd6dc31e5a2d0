/** Reads invoices whole, page by page. */
import type { OperationOutput, OperationInput } from '../../src/client/operations.ts'
import type { TestSandbox } from './world.ts'

type Page = OperationOutput<'get_carrier_invoice'>

export type WholeInvoice = Page & { lines: NonNullable<Page['lines']> }

/** Returns an invoice with the lines of all its pages; `between` runs after each page but the last. */
export async function readInvoice(
  world: TestSandbox,
  wanted: OperationInput<'get_carrier_invoice'>,
  { as, between }: { as?: string; between?: () => Promise<unknown> } = {},
): Promise<WholeInvoice> {
  const options = as === undefined ? {} : { as }
  const read = (cursor?: string | null): Promise<Page> =>
    world.ok('get_carrier_invoice', { limit: 100, ...wanted, ...(cursor && { cursor }) }, options)
  const first = await read()
  const lines = [...(first.lines ?? [])]
  for (let page = first; page.has_more === true;) {
    await between?.()
    page = await read(page.next_cursor)
    lines.push(...(page.lines ?? []))
  }
  return { ...first, lines }
}
