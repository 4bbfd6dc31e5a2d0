/** Completions: the values of an argument of a prompt or of an address, from public places and the caller's own data. */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { CompleteRequestParams, CompleteResult } from '@modelcontextprotocol/server'
import { LABEL_PARAMETERS } from '../areas/carrier/label/parameters.ts'
import { SERVICE_CATEGORIES } from '../areas/services/states.ts'
import type { Client } from '../client/client.ts'
import type { OperationOutput } from '../client/operations.ts'
import { namedPlaces } from '../core/places/gazetteer.ts'
import { KNOWN_NAMES } from '../core/places/known-addresses.ts'
import { findPrompt } from './prompts.ts'
import { templateAt, toProtocolError } from './resources.ts'
import type { Tool } from './tools.ts'

/** A value, and the words by which it is found beside its own. */
type Choice = { value: string; words?: string }

type CompletionMatches = { choices: readonly Choice[]; has_more: boolean }

/** The most that the protocol lets a server answer with. */
const MAX_COMPLETIONS = 100

const fixed = (values: readonly string[]): (() => CompletionMatches) => {
  const choices = values.map((value) => ({ value }))
  return () => ({ choices, has_more: false })
}

type ListName = 'list_task_types' | 'list_food_orders' | 'list_shipments' | 'list_catalog_items'

/** Returns the source of values from the first hundred rows of a list; a caller with more of them types an id. */
function ownRows<N extends ListName>(tool: N, toChoice: (row: OperationOutput<N>['data'][number]) => Choice) {
  return {
    tool,
    async find(client: Client, signal: AbortSignal): Promise<CompletionMatches> {
      const { value } = await client.call<ListName>(tool, { limit: MAX_COMPLETIONS }, { signal })
      const { data, has_more } = value as OperationOutput<N>
      return { has_more, choices: data.map(toChoice) }
    },
  }
}

/** The sources of values. Those that need a tool complete nothing for a caller without it. */
const SOURCES = {
  place: { find: fixed([...namedPlaces().keys(), ...KNOWN_NAMES]) },
  service: { find: fixed(SERVICE_CATEGORIES) },
  size: { find: fixed(LABEL_PARAMETERS.size.values) },
  dpi: { find: fixed(LABEL_PARAMETERS.dpi.values) },
  task: ownRows('list_task_types', ({ task_type, name }) => ({ value: task_type, words: name })),
  order: ownRows('list_food_orders', ({ order_id, display_number, merchant }) => ({
    value: order_id,
    words: `${display_number} ${merchant.name}`,
  })),
  tracking_number: ownRows('list_shipments', ({ tracking_number, reference }) => ({
    value: tracking_number,
    words: reference ?? '',
  })),
  item_id: ownRows('list_catalog_items', ({ item_id, name }) => ({ value: item_id, words: name })),
} as const

type Source = (typeof SOURCES)[keyof typeof SOURCES]

/** Returns the values that fit the typed text: those that begin with it first. Throws an error of the protocol. */
export async function completeArgument(
  { client, onError }: { client: Client; onError(error: unknown): void },
  tools: Pick<ReadonlyMap<string, Tool>, 'has'>,
  { ref, argument: { name, value: typed } }: CompleteRequestParams,
  signal: AbortSignal,
): Promise<CompleteResult> {
  const source = sourceOf(ref, name, tools)
  if (source === undefined || ('tool' in source && !tools.has(source.tool)))
    return { completion: { values: [], total: 0, hasMore: false } }
  try {
    const { choices, has_more } = await source.find(client, signal)
    const fitting = matching(choices, typed)
    const hasMore = fitting.length > MAX_COMPLETIONS || has_more
    return {
      completion: {
        values: fitting.slice(0, MAX_COMPLETIONS),
        hasMore,
        ...(!has_more && { total: fitting.length }),
      },
    }
  } catch (error) {
    throw toProtocolError(error, '', onError)
  }
}

/** Returns the source of an argument; undefined where its values are not known, such as a time. */
function sourceOf(
  ref: CompleteRequestParams['ref'],
  name: string,
  tools: Pick<ReadonlyMap<string, Tool>, 'has'>,
): Source | undefined {
  if (ref.type === 'ref/prompt') {
    const choices = findPrompt(ref.name, tools).arguments.find((each) => each.name === name)?.choices
    return choices && SOURCES[choices]
  }
  if (templateAt(ref.uri, tools) === undefined)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Unknown resource template: ${ref.uri.slice(0, 200)}. resources/templates/list lists them all.`,
    )
  const isHere = new RegExp(`\\{[^}]*\\b${name.replaceAll(/\W/g, '')}\\b[^}]*\\}`).test(ref.uri)
  return isHere && Object.hasOwn(SOURCES, name) ? SOURCES[name as keyof typeof SOURCES] : undefined
}

function matching(choices: readonly Choice[], typed: string): string[] {
  const text = typed.trim().toLowerCase()
  const fitting = choices.filter(({ value, words = '' }) => `${value} ${words}`.toLowerCase().includes(text))
  const begins = ({ value }: Choice): number => (value.toLowerCase().startsWith(text) ? 0 : 1)
  return fitting.toSorted((a, b) => begins(a) - begins(b)).map(({ value }) => value)
}
