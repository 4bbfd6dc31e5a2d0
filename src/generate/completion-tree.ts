/** The words of command lines for the shells: a node for `dray`, for every group and for every command. */
import { ACCOUNTS } from '../areas/account/seed.ts'
import { SHIPMENT_SCENARIOS } from '../areas/carrier/lifecycle/scenario.ts'
import { DELIVERY_SCENARIOS } from '../areas/couriers/lifecycle/scenario.ts'
import { ORDER_SCENARIOS } from '../areas/orders/lifecycle/scenario.ts'
import { RIDE_QUOTE_SCENARIOS, RIDE_SCENARIOS } from '../areas/rides/lifecycle/scenario.ts'
import { BOOKING_SCENARIOS } from '../areas/services/lifecycle/scenario.ts'
import { TASK_SCENARIOS } from '../areas/tasks/lifecycle/scenario.ts'
import type { CommandSpec, Flag, Positional } from '../cli/command.ts'
import { COMMON_FLAGS, GLOBAL_FLAGS } from '../cli/globals.ts'
import { GROUPS } from '../cli/groups.ts'
import type {
  FlagNode,
  SavedValuesKind,
  CommandNode,
  PositionalNode,
  CommandTree,
} from '../commands/completion/tree.ts'

type NamedNode = CommandNode & { words: string }

/** Returns the source of the words of all command lines: as JSON, which is read faster than code. */
export function completionSource(commands: readonly CommandSpec[]): string {
  return `/** A \`Tree\` as JSON. */\nexport const COMPLETION = ${JSON.stringify(JSON.stringify(completionTree(commands)))}\n`
}

/** Returns the words that may follow each other in the lines of the commands. */
export function completionTree(commands: readonly CommandSpec[]): CommandTree {
  const known = new Map<string, number>()
  const flags: FlagNode[] = []
  const indexOf = (flag: FlagNode): number => {
    const text = JSON.stringify(flag)
    return known.get(text) ?? (known.set(text, flags.push(flag) - 1), flags.length - 1)
  }
  const nodes = toNodes(commands).map(
    ({ words, ...node }) => [words, { ...node, flags: node.flags.map(indexOf) }] as const,
  )
  return { nodes: Object.fromEntries(nodes), flags, globals: globalFlags() }
}

/** Returns the flags of every command, with `--help`. */
function globalFlags(): FlagNode[] {
  return [...COMMON_FLAGS.map(toFlagNode), { names: ['--help', '-h'], description: 'what it does and takes' }]
}

/** Returns `dray` first, then groups before their commands, in the order of help. */
function toNodes(commands: readonly CommandSpec[]): NamedNode[] {
  const nodes = new Map<string, NamedNode>()
  const nodeOf = (words: string): NamedNode => {
    const known = nodes.get(words)
    if (known !== undefined) return known
    const node: NamedNode = { words, next: [], flags: [], places: [] }
    nodes.set(words, node)
    if (words !== '') {
      const parent = words.split(' ').slice(0, -1).join(' ')
      const name = plain(words.slice(parent.length).trim())
      nodeOf(parent).next.push({ name, description: GROUPS[words] ?? '' })
    }
    return node
  }
  nodeOf('').flags.push({ names: ['--version', '-V'], description: 'the version' })
  for (const { words, flags, positionals, takes } of commands) {
    const own = new Set(flags.map(({ flag }) => flag))
    const taken = GLOBAL_FLAGS.filter(({ flag }) => takes.some((each) => each === flag) && !own.has(flag))
    Object.assign(nodeOf(words), {
      flags: [...flags, ...taken].map(toFlagNode).map((flag) => withScenarios(words, flag)),
      places: positionals.map((positional) => toPositionalNode(words, positional)),
    })
  }
  const summaries = new Map(commands.map(({ words, summary }) => [words, firstSentence(summary)]))
  for (const { words, next } of nodes.values()) {
    for (const entry of next) {
      const child = `${words} ${entry.name}`.trim()
      const members = nodes.get(child)?.next.map(({ name }) => name) ?? []
      entry.description ||= summaries.get(child) ?? members.join(', ')
    }
  }
  const all = [...nodes.values()]
  return [...all, ...helpNodes(all)].map(withFixedValues)
}

/** Lets the words of every command follow `help`. Changes the node of `help`, and returns those of its groups. */
function helpNodes(nodes: readonly NamedNode[]): NamedNode[] {
  // Operations follow `api`, and have no help of their own.
  const groups = nodes.filter(({ words, next }) => next.length > 0 && words !== '' && words !== 'api')
  const [root] = nodes
  const help = nodes.find(({ words }) => words === 'help')
  if (root === undefined || help === undefined) return []
  help.next.push(...root.next)
  return groups.map(({ words, next }) => ({ words: `help ${words}`, next, flags: [], places: [] }))
}

/** Offers the fixed values of the first argument beside the words that may be in its place. */
function withFixedValues(node: NamedNode): NamedNode {
  const values = node.places[0]?.values
  if (node.next.length === 0 || typeof values !== 'object') return node
  return { ...node, next: [...node.next, ...values.map((name) => ({ name, description: '' }))] }
}

/** The scenarios of the commands that create something. */
const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  'food order': ORDER_SCENARIOS,
  'rides quote': RIDE_QUOTE_SCENARIOS,
  'rides request': RIDE_SCENARIOS,
  'delivery request': DELIVERY_SCENARIOS,
  'carrier create': SHIPMENT_SCENARIOS,
  'carrier upload': SHIPMENT_SCENARIOS,
  'services book': BOOKING_SCENARIOS,
  'tasks create': TASK_SCENARIOS,
}

function withScenarios(words: string, flag: FlagNode): FlagNode {
  const known = SCENARIOS[words]
  return known !== undefined && flag.names[0] === '--scenario' ? { ...flag, values: known.map(plain) } : flag
}

/** Every sandbox begins with these accounts. */
const ACCOUNT: SavedValuesKind = `@handle,${ACCOUNTS.map(({ handle }) => plain(handle)).join(',')}`

/** The values that flags take, by name. */
const FLAG_KINDS: Readonly<Record<string, SavedValuesKind>> = {
  as: ACCOUNT,
  account: ACCOUNT,
  profile: '@profile',
  merchant: '@merchant_id',
  item: '@item_id',
  hub: '@hub',
  'from-hub': '@hub',
  batch: '@batch_id',
  'use-map': '@map',
}

/** The kinds of arguments, by name. */
const ARGUMENT_KINDS: Readonly<Record<string, SavedValuesKind>> = {
  account: ACCOUNT,
  merchant: '@merchant_id',
  provider: '@provider_id',
  order: '@order',
  parcel: '@tracking_number',
  order_id: '@order',
  ...Object.fromEntries(
    [
      'ride_id',
      'delivery_id',
      'tracking_number',
      'booking_id',
      'task_id',
      'task_type',
      'item_id',
      'resource',
    ].map((name) => [name, `@${name}` as const]),
  ),
}

/** The commands with an existing profile as their argument. */
const TAKES_PROFILE = /^profile (?:use|show|bind|remove)$/

function toFlagNode({ flag, short, kind, description, choices, value = '', repeat }: Flag): FlagNode {
  const isPlace = kind === 'point' || value === 'PLACE'
  const kept = isPlace ? '@place' : kind === 'text' ? FLAG_KINDS[flag] : undefined
  const values = choices?.map(plain) ?? kept ?? (/\b(FILE|PATH)\b/.test(value) ? 'file' : 'text')
  return {
    names: [`--${plain(flag)}`, ...(short === undefined ? [] : [`-${plain(short)}`])],
    description: firstSentence(description),
    ...(kind !== 'boolean' && { values }),
    ...(repeat === true && { repeat }),
  }
}

function toPositionalNode(words: string, { name, choices, repeat }: Positional): PositionalNode {
  const kept = TAKES_PROFILE.test(words) ? '@profile' : ARGUMENT_KINDS[name]
  const values = choices?.map(plain) ?? kept ?? (/^files?$/i.test(name) ? 'file' : 'text')
  return { values, ...(repeat === true && { repeat }) }
}

/** Returns the first sentence, because shells show one short line beside a name. */
function firstSentence(text: string): string {
  return (text.split(/(?<=[.;])\s|\n/)[0] ?? '').replace(/[.;]$/, '').trim()
}

/** Checks a name, which a shell puts into the line without quotes. Throws when it would need them. */
function plain(name: string): string {
  if (!/^[\w.@+-]+$/.test(name)) throw new Error(`"${name}" needs quotes in a command line`)
  return name
}
