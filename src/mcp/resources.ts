/**
 * Resources with addresses of their own, which agents read besides the tools: the label of a parcel as a file, and the
 * changes of an item. A caller reads what the tool of the same scope would show, and nothing else.
 */
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server'
import type { ContentBlock, ReadResourceResult, ResourceTemplateType } from '@modelcontextprotocol/server'
import type { Client } from '../client/client.ts'
import { AppError, toProblem } from '../core/errors.ts'
import type { Tool } from './tools.ts'

/** The content of a resource: text, or bytes in base64. */
type Body = { mimeType: string } & ({ text: string } | { blob: string })
type ResourceReader = (client: Client, address: RegExpExecArray, signal: AbortSignal) => Promise<Body>

/** A kind of resource. Callers of `tool` may read it. */
type Kind = { tool: string; template: ResourceTemplateType; address: RegExp; read: ResourceReader }

const FORMATS = { pdf: 'application/pdf', png: 'image/png', zpl: 'application/zpl' } as const

/** The tool that gives its callers the right to read labels. */
const READS_LABELS = 'get_shipment'

const PAPER = 'For paper of 4 × 6 inches, or A6 with ?size=a6'

const DOTS = {
  pdf: '',
  png: '; 300 dots in an inch, or 203 with dpi=203',
  zpl: '; 203 dots in an inch, or 300 with dpi=300',
} as const

const LABELS = Object.entries(FORMATS).map(([format, mimeType]): Kind => ({
  tool: READS_LABELS,
  template: {
    uriTemplate: `dray://shipments/{tracking_number}/label.${format}{?${format === 'pdf' ? 'size' : 'size,dpi'}}`,
    name: `label-${format}`,
    title: `Label of a parcel, as ${format.toUpperCase()}`,
    description: `${PAPER}${DOTS[format as keyof typeof FORMATS]}. A cancelled parcel has none.`,
    mimeType,
  },
  address: new RegExp(`^dray://shipments/([A-Za-z0-9]{1,60})/label\\.${format}(?:\\?([^#]{0,60}))?$`),
  read: (client, [, number = '', query = ''], signal) =>
    readLabel(client, { number, format: format as keyof typeof FORMATS, query }, signal),
}))

const KINDS: readonly Kind[] = [
  ...LABELS,
  {
    tool: 'list_catalog_items',
    template: {
      uriTemplate: 'dray://catalog/items/{item_id}/history',
      name: 'item-history',
      title: 'Changes of an item of your menu, newest first',
      description: 'The author, the time and the former values of each change; at most the latest 50.',
      mimeType: 'application/json',
    },
    address: /^dray:\/\/catalog\/items\/([\w-]{1,60})\/history$/,
    async read(client, [, item_id = ''], signal) {
      const { value } = await client.call('get_catalog_item_history', { item_id }, { signal })
      return { mimeType: 'application/json', text: JSON.stringify(value) }
    },
  },
]

/** The tools with one parcel as their result. */
const OF_A_PARCEL: ReadonlySet<string> = new Set(['create_shipment', 'get_shipment'])

/**
 * Returns a link to the label of the parcel that a tool answered with. There is none where the parcel has no label, or
 * where a caller with these tools may not read it.
 */
export async function labelLink(
  tools: Pick<ReadonlyMap<string, Tool>, 'has'>,
  tool: string,
  value: unknown,
): Promise<ContentBlock[]> {
  if (!OF_A_PARCEL.has(tool) || !tools.has(READS_LABELS)) return []
  const { hasLabel } = await import('../areas/carrier/label/label.ts')
  const shipment = value as { tracking_number: string; status: Parameters<typeof hasLabel>[0]['status'] }
  if (!hasLabel(shipment)) return []
  const { tracking_number: number } = shipment
  const uri = `dray://shipments/${number}/label.pdf`
  return [
    { type: 'resource_link', uri, name: `${number}.pdf`, title: `Label ${number}`, mimeType: FORMATS.pdf },
  ]
}

/** Returns the addresses that a caller with these tools may read. */
export function listTemplates(tools: Pick<ReadonlyMap<string, Tool>, 'has'>): ResourceTemplateType[] {
  return KINDS.filter(({ tool }) => tools.has(tool)).map(({ template }) => template)
}

/** Returns the template with this address, for a caller with these tools. */
export function templateAt(
  uri: string,
  tools: Pick<ReadonlyMap<string, Tool>, 'has'>,
): ResourceTemplateType | undefined {
  return listTemplates(tools).find(({ uriTemplate }) => uriTemplate === uri)
}

/** Reads a resource. Throws an error of the protocol, with the problem document as its data. */
export async function readResource(
  { client, onError }: { client: Client; onError(error: unknown): void },
  tools: Pick<ReadonlyMap<string, Tool>, 'has'>,
  uri: string,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  for (const { tool, address, read } of KINDS) {
    const found = address.exec(uri)
    if (found === null || !tools.has(tool)) continue
    try {
      return { contents: [{ uri, ...(await read(client, found, signal)) }] }
    } catch (error) {
      throw toProtocolError(error, uri, onError)
    }
  }
  throw new ResourceNotFoundError(uri.slice(0, 200))
}

/** Returns a failure of the service as an error of the protocol, with the problem document as its data. */
export function toProtocolError(error: unknown, uri: string, onError: (error: unknown) => void): Error {
  if (!(error instanceof AppError)) {
    onError(error)
    return new ProtocolError(ProtocolErrorCode.InternalError, 'Something unforeseen happened.')
  }
  if (error.entry.status === 404) return new ResourceNotFoundError(uri)
  // Hints name commands for people.
  const { hint: _, ...problem } = toProblem(error)
  return new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, problem)
}

async function readLabel(
  client: Client,
  { number, format, query }: { number: string; format: keyof typeof FORMATS; query: string },
  signal: AbortSignal,
): Promise<Body> {
  const { parseLabelParameters } = await import('../areas/carrier/label/parameters.ts')
  const { size, dpi } = parseLabelParameters(`format=${format}&${query}`)
  const { value } = await client.call('get_shipment', { tracking_number: number }, { signal })
  const { hasLabel } = await import('../areas/carrier/label/label.ts')
  const { renderLabelsInWorker } = await import('../workers/labels.ts')
  if (!hasLabel(value))
    throw new AppError(
      'invalid_state',
      `${value.tracking_number} is cancelled; a cancelled parcel has no label.`,
    )
  const title = `Label ${value.tracking_number}`
  const bytes = await renderLabelsInWorker(
    { title, parcels: [value], size, start: 1, format, dpi: Number(dpi) },
    client,
  )
  return { mimeType: FORMATS[format], blob: Buffer.from(bytes).toString('base64') }
}
