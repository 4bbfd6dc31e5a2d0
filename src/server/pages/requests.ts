/** The requests that a user can send, for the page that shows the sandbox: each with its fields and an example. */
import { AppError } from '../../core/errors.ts'
import type { AnyOperation } from '../../core/operation.ts'
import { jsonAnswer } from '../json-response.ts'
import type { Route, RouteDeps } from '../route.ts'

type RequestsDeps = Pick<RouteDeps, 'registry' | 'serviceTime'>

/** A field of a request; `name` has dots for one inside another. */
type Field = { name: string; type: string; required: boolean; description: string }

/** Returns the routes. They tell what the reference tells, so they need no session. */
export function requestRoutes({ registry, serviceTime }: RequestsDeps): Route[] {
  return [
    {
      name: 'page_requests',
      method: 'GET',
      path: '/pages/requests',
      async answer({ requestId }) {
        const loaded = await Promise.all(registry.NAMES.map((name) => registry.load(name)))
        const requests = loaded.flatMap((entry) => (entry === undefined ? [] : [listed(entry.operation)]))
        return jsonAnswer(requestId, await serviceTime(), JSON.stringify({ data: requests }))
      },
    },
    {
      name: 'page_request',
      method: 'GET',
      path: '/pages/requests/{operation}',
      async answer({ params, requestId }) {
        const name = params['operation'] ?? ''
        const loaded = await registry.load(name)
        if (loaded === undefined)
          throw new AppError('route_not_found', `Unknown operation ${name.slice(0, 60)}.`)
        const { EXAMPLES } = await import('../../generated/examples.ts')
        const example = EXAMPLES.find((each) => each.name === name)
        return jsonAnswer(
          requestId,
          await serviceTime(),
          JSON.stringify({
            ...listed(loaded.operation),
            fields: fieldsOf(loaded.operation.input),
            scenarios: loaded.operation.scenarios,
            example: example && { input: example.input, curl: example.curl, dray: example.dray },
          }),
        )
      },
    },
  ]
}

function listed({ name, area, method, path, summary, scope, cli }: AnyOperation) {
  return { name, area, method, path, summary, scope, command: `dray ${cli.command}` }
}

type Schema = {
  type?: string
  enum?: readonly unknown[]
  format?: string
  description?: string
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
}

const MAX_FIELD_DEPTH = 3

function fieldsOf(schema: object, before = '', depth = 1): Field[] {
  const { properties = {}, required = [] } = schema as Schema
  return Object.entries(properties).flatMap(([member, value]) => {
    const name = before + member
    const own = { name, type: typeText(value), required: required.includes(member) }
    const inner = value.properties === undefined ? value.items : value
    const list = inner === value ? '' : '[]'
    return [
      { ...own, description: value.description ?? '' },
      ...(inner?.properties !== undefined && depth < MAX_FIELD_DEPTH
        ? fieldsOf(inner, `${name}${list}.`, depth + 1)
        : []),
    ]
  })
}

function typeText({ type, enum: choices, format, items, anyOf }: Schema): string {
  if (choices !== undefined) return choices.join(' | ')
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeText))].join(' or ')
  if (type === 'array') return `list of ${items === undefined ? 'values' : typeText(items)}`
  return format ?? type ?? 'any'
}
