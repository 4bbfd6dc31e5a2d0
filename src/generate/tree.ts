import { RESOURCES } from '../areas/resources.ts'
import type { CommandSpec, DeclaredFlag } from '../cli/command.ts'
import { SHAPING } from '../cli/define-command.ts'
import { MAX_TOTAL_FLAG } from '../cli/max-total.ts'
import { isRead, joinDescription } from '../core/operation.ts'
import type { AnyOperation, AnySandboxOperation } from '../core/operation.ts'
import { type Resource, wantedState } from '../core/resource.ts'
import { purchasingOf } from '../core/spending.ts'
import { labelColumns } from './columns.ts'
import { deriveFlags, isList } from './flags.ts'

/** A command and, if it is hand-written, its file in `src/commands/`; or the resource that it tracks. */
export type CommandEntry = { spec: CommandSpec; file?: string; tracks?: string }

export function camelCase(name: string): string {
  return name.replace(/[_-](\w)/g, (_, letter: string) => letter.toUpperCase())
}

type AnyPlane = AnyOperation | AnySandboxOperation

/** Returns the command of an operation, by its schema and its hints. */
export function specOf(operation: AnyPlane): CommandSpec {
  const { cli, plane } = operation
  const { flags, positionals } = deriveFlags(operation)
  const text = joinDescription(operation)
  const buys = plane === 'interface' && purchasingOf(operation) !== undefined
  return {
    words: cli.command,
    summary: operation.summary,
    ...(text !== undefined && { description: text }),
    flags: buys ? [...flags, MAX_TOTAL_FLAG] : flags,
    positionals,
    examples: cli.examples ?? [],
    danger: cli.danger,
    takes: takenBy(operation),
    operation: {
      name: operation.name,
      ...(plane === 'sandbox' && { plane }),
      list: isList(operation.output),
      read: isRead(operation),
      ...(buys && { buys: true as const }),
      columns: labelColumns(operation, cli.columns ?? []),
      ...(cli.details !== undefined && { details: labelColumns(operation, cli.details) }),
      ...(cli.empty !== undefined && { empty: cli.empty }),
      ...(cli.done !== undefined && { done: cli.done }),
      ...(cli.next !== undefined && { next: cli.next }),
      ...(cli.instead !== undefined && { instead: cli.instead }),
    },
  }
}

/** Returns the declared flags that follow from an operation's type. */
function takenBy(operation: AnyPlane): DeclaredFlag[] {
  if (operation.plane === 'sandbox') return isRead(operation) ? [...SHAPING] : [...SHAPING, 'dry-run']
  return [
    ...SHAPING,
    ...(operation.scenarios.length > 0 ? (['scenario'] as const) : []),
    ...pagingOf(operation),
    ...(isRead(operation) ? [] : (['dry-run', 'idempotency-key', 'new'] as const)),
    ...(canBeWaitedFor(operation) ? (['wait'] as const) : []),
  ]
}

/** A search that shows its first rows alone has a limit, and no pages; a list that comes whole has neither. */
function pagingOf({ input, output }: AnyOperation): DeclaredFlag[] {
  if (isList(output) && 'cursor' in input.properties) return ['limit', 'cursor', 'all']
  return 'limit' in input.properties ? ['limit'] : []
}

function canBeWaitedFor({ name }: AnyOperation): boolean {
  return Object.values<Resource>(RESOURCES).some((resource) => wantedState(resource, name) !== undefined)
}

export function specSource(operation: AnyPlane): string {
  return `import type { CommandSpec } from '../../cli/command.ts'

export const spec = ${JSON.stringify(specOf(operation), null, 2)} as const satisfies CommandSpec
`
}

/**
 * Returns the source of the registry: name -> the operation and its compiled validator, loaded at first use. It also
 * has the command of each control call.
 */
export function registrySource(operations: AnyOperation[], controls: AnySandboxOperation[]): string {
  const lines = operations.map(({ name }) => `  ${name}: () => import('./operations/${name}.ts'),`)
  const specs = [...operations, ...controls].map(
    ({ name }) => `  ${name}: () => import('./specs/${name}.ts').then(({ spec }) => spec),`,
  )
  return `import type { TSchema } from 'typebox'
import type { CommandSpec } from '../cli/command.ts'
import type { AnyOperation } from '../core/operation.ts'

type Loaded = { operation: AnyOperation; check(value: unknown): boolean }

const LOADERS: Readonly<Record<string, () => Promise<Loaded>>> = {
${lines.join('\n')}
}

const SPECS: Readonly<Record<string, () => Promise<CommandSpec>>> = {
${specs.join('\n')}
}

/** First the operations of the interface, in its order, then the calls beside it. */
export const NAMES: readonly string[] = Object.keys(LOADERS)

export async function load(name: string): Promise<Loaded | undefined> {
  return Object.hasOwn(LOADERS, name) ? LOADERS[name]?.() : undefined
}

/** The command line of an operation, also of the control plane. */
export async function loadSpec(name: string): Promise<CommandSpec | undefined> {
  return Object.hasOwn(SPECS, name) ? SPECS[name]?.() : undefined
}

/** The schema of the response of an operation, also of the control plane. */
export async function loadOutput(name: string): Promise<TSchema | undefined> {
  const { operation = await (await import('../sandbox/control/index.ts')).findControl(name) } =
    (await load(name)) ?? {}
  return operation?.output
}
`
}

/** Returns the source of routes: name -> the HTTP route, which is all that a remote client needs. */
export function routesSource(constant: string, operations: AnyPlane[]): string {
  const routes = operations.map((operation) => {
    const { name, method, path, pathParameters, output } = operation
    const { required = [] } = output as { required?: string[] }
    const idempotency = operation.plane === 'interface' ? operation.idempotency : undefined
    const created = Object.values<Resource>(RESOURCES).flatMap(({ id, creates }) =>
      creates.includes(name) ? id : [],
    )
    const repeats = pathParameters.filter((member) => !created.includes(member))
    const plain = JSON.stringify({ method, path, pathParameters, repeats, idempotency, required })
    return `  ${name}: { ${plain.slice(1, -1)}, loadCheck: () => import('./answers/${name}_answer.ts') },`
  })
  return `import type { OperationRoute } from '../client/route.ts'

export const ${constant}: Readonly<Record<string, OperationRoute>> = {
${routes.join('\n')}
}
`
}

/**
 * Returns the source of the spending table: name -> the effect on money, which is all that the spending guards need.
 */
export function spendingSource(operations: AnyOperation[]): string {
  const lines = operations.flatMap(({ name, scope, spends }) =>
    spends === undefined || spends.how === 'nothing'
      ? []
      : [`  ${name}: ${JSON.stringify({ scope, ...spends })},`],
  )
  return `import type { Scope } from '../core/account.ts'
import type { Spending } from '../core/spending.ts'

export const SPENDING: Readonly<Record<string, Spending & { scope: Scope }>> = {
${lines.join('\n')}
}
`
}

/** Returns the source of the resource table, for the command line, the tools and the journal: name -> the resource. */
export function resourcesSource(): string {
  const rows = Object.entries<Resource>(RESOURCES)
  const lines = rows.map(([name, resource]) => `  ${name}: ${JSON.stringify(resource)},`)
  const living = rows.flatMap(([name, { life }]) => (life === undefined ? [] : [`'${name}'`])).join(' | ')
  return `import type { Resource } from '../core/resource.ts'

export type ResourceName = ${rows.map(([name]) => `'${name}'`).join(' | ')}
/** Those that can be waited for. */
export type LivingName = ${living}

export const RESOURCES: Readonly<Record<ResourceName, Resource>> = {
${lines.join('\n')}
}
`
}

/** Returns the source of the command tree: words -> the command, loaded when it is typed. */
export function commandsSource(commands: CommandEntry[]): string {
  const lines = commands.map(({ spec, file, tracks }) => {
    const derived =
      tracks === undefined ? `loadOperation('${spec.operation?.name}')` : `loadTrack('${tracks}')`
    const load =
      file === undefined
        ? `() => ${derived}`
        : `() => import('../commands/${file}').then((module) => module.${camelCase(spec.words.replaceAll(' ', '-'))})`
    return `  ${JSON.stringify(spec.words)}: { summary: ${JSON.stringify(spec.summary)}, load: ${load} },`
  })
  return `import type { Command } from '../cli/define-command.ts'
import { loadSpec } from './registry.ts'
import type { LivingName } from './resources.ts'

type LazyCommand = { summary: string; load(): Promise<Command> }

/** By the words after \`dray\`, in the order in which help lists them. */
export const COMMANDS: Readonly<Record<string, LazyCommand>> = {
${lines.join('\n')}
}

async function loadTrack(kind: LivingName): Promise<Command> {
  return (await import('../commands/track.ts')).makeTrackCommand(kind)
}

export async function loadOperation(name: string): Promise<Command> {
  const [spec, { runOperation }] = await Promise.all([loadSpec(name), import('../commands/operation.ts')])
  if (spec === undefined) throw new Error(\`no operation \${name}\`)
  return { ...spec, run: runOperation }
}
`
}
