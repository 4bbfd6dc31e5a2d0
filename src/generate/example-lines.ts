/** Formats a call as a line for curl and one for dray, for readers to copy into a shell. */
import type { Flag } from '../cli/command.ts'
import type { AnyOperation, AnySandboxOperation, ExampleInput } from '../core/operation.ts'
import { isRecord } from '../core/record.ts'

/** The headers of a call: its idempotency key, and the scenario that the sandbox plays. */
type ExampleHeaders = { key?: string | undefined; scenario?: string | undefined }

/**
 * Returns the curl line. It reads `DRAY_BASE_URL` and `DRAY_TOKEN` from the environment, as dray does; that of a control call
 * reads `CONTROL_TOKEN`.
 */
export function curlLine(
  { method, path, pathParameters, plane }: AnyOperation | AnySandboxOperation,
  input: ExampleInput,
  { key, scenario }: ExampleHeaders = {},
): string {
  const where = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
  const rest = Object.entries(input).filter(([name]) => !pathParameters.includes(name))
  const query =
    method === 'GET'
      ? rest.flatMap(([name, value]) => [value].flat().map((one) => `${name}=${String(one)}`))
      : []
  const how = method === 'PUT' || method === 'DELETE' ? ` -X ${method}` : query.length > 0 ? ' -G' : ''
  const parts = [
    `curl -sS${how} "$DRAY_BASE_URL${where}"`,
    `-H "Authorization: Bearer $${plane === 'sandbox' ? 'CONTROL_TOKEN' : 'DRAY_TOKEN'}"`,
    ...(key === undefined ? [] : [`-H "Idempotency-Key: ${key}"`]),
    ...(scenario === undefined ? [] : [`-H ${quote(`Sandbox-Scenario: ${scenario}`)}`]),
    ...query.map((text) => `--data-urlencode ${quote(text)}`),
    ...(method === 'GET' ? [] : ['-H "Content-Type: application/json"', `-d ${quote(bodyOf(rest, '  '))}`]),
  ]
  return parts.join(' \\\n  ')
}

/** Formats the body with each field on its own line. */
function bodyOf(members: readonly [string, unknown][], indent = ''): string {
  if (members.length === 0) return '{}'
  const lines = members.map(([name, value]) => `${indent}  ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
  return `{\n${lines.join(',\n')}\n${indent}}`
}

/** Returns the dray line, with a flag for each field. Values without a flag are passed as JSON. */
export async function drayLine(
  operation: AnyOperation,
  input: ExampleInput,
  { key, scenario }: ExampleHeaders = {},
): Promise<string> {
  const { apiCommand } = await import('../commands/api.command.ts')
  const { flags } = await apiCommand(operation.name)
  const words = flatten(input).map(([field, value]) => toFlag(flags, field, value))
  const {
    spends,
    cli: { danger },
  } = operation
  const own = Object.values(input).find((value) => typeof value === 'string')
  const tail = [
    ...(key === undefined ? [] : [`--idempotency-key ${key}`]),
    ...(scenario === undefined ? [] : [`--scenario ${quote(scenario)}`]),
    ...(danger === 'destructive' ? [own === undefined ? '--yes' : `--confirm ${own}`] : []),
    ...(danger === 'spend' || danger === 'bulk' ? ['--yes'] : []),
    ...(danger === 'spend' && spends?.how === 'invoice' ? ['--max-total 25.00'] : []),
    '--json',
  ].join(' ')
  if (words.every((word) => word !== undefined))
    return [`dray api ${operation.name}`, ...words, tail].join(' \\\n  ')
  return `dray api ${operation.name} --input - ${tail} <<'END'\n${bodyOf(Object.entries(input))}\nEND`
}

/** Returns every value with the dotted name of its field. */
function flatten(input: ExampleInput, prefix = ''): [field: string, value: unknown][] {
  return Object.entries(input).flatMap(([name, value]) =>
    isRecord(value)
      ? flatten(value, `${prefix}${name}.`)
      : [[`${prefix}${name}`, value] as [string, unknown]],
  )
}

const PLAIN = new Set([
  'text',
  'enum',
  'integer',
  'number',
  'boolean',
  'date',
  'instant',
  'when',
  'store_when',
])

function toFlag(flags: readonly Flag[], field: string, value: unknown): string | undefined {
  if (field === 'limit') return `--limit ${String(value)}`
  const flag = flags.find((candidate) => candidate.field === field)
  if (flag === undefined || !PLAIN.has(flag.kind)) return undefined
  if (typeof value === 'boolean') return value ? `--${flag.flag}` : `--no-${flag.flag}`
  const values = [value].flat()
  if (values.some((one) => typeof one === 'object')) return undefined
  return values.map((one) => `--${flag.flag} ${quote(String(one))}`).join(' ')
}

/** Quotes text for a POSIX shell, where needed. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
