/** Invalid requests, as data. Line numbers are those of the list of cases that the service must survive. */
import type { ErrorCode } from '../../src/core/errors.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import { exampleInput } from './example-input.ts'

/** The token of a request; `customer` and `keeper` share an order. */
export type Bearer =
  | 'own'
  | 'other'
  | 'customer'
  | 'keeper'
  | 'expired'
  | 'flipped'
  | 'none'
  | { scopes: readonly string[] }

export type BadRequest = {
  name: string
  method: string
  /** The target of the request line. */
  target: string
  headers?: readonly string[]
  body?: string | Uint8Array
  bearer?: Bearer
  code: ErrorCode
}

/** A request that is unusual but valid. */
export type OddRequest = Omit<BadRequest, 'code'> & { status: number }

const JSON_TYPE = 'Content-Type: application/json'

/** The facts about the store that the cases need. */
export type RequestCaseFacts = {
  /** By path parameter: the caller's id, another caller's, and an unknown one. */
  ids: Readonly<Record<string, { own: string; other: string; unknown: string }>>
  /** A cursor of `list_shipments` without filters: the caller's, and another caller's. */
  cursor: string
  otherCursor: string
  /** A key with which the caller created a parcel. */
  usedKey: string
}

/** Returns the path of an operation, filled with the caller's ids. */
function targetOf(
  { path }: AnyOperation,
  { ids }: RequestCaseFacts,
  values: Record<string, string> = {},
): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ids[name]?.own ?? '')
}

/**
 * Returns one operation for each method and area, which suffices for checks that the transport makes for all
 * operations.
 */
export function sampleOf(operations: readonly AnyOperation[]): AnyOperation[] {
  const kinds = Map.groupBy(operations, ({ area, method }) => `${area} ${method}`)
  return [...kinds.values()].flatMap(([first]) => first ?? [])
}

function bodyOf(operation: AnyOperation): Record<string, unknown> {
  const input = Object.entries(exampleInput(operation))
  return Object.fromEntries(input.filter(([name]) => !operation.pathParameters.includes(name)))
}

/** Returns a new key where one is required, because a refusal is stored under its key. */
function keyLine({ idempotency }: AnyOperation): string[] {
  keys += 1
  return idempotency === 'required' ? [`Idempotency-Key: bad-${keys}`] : []
}

let keys = 0

type Send = { headers?: readonly string[]; bearer?: Bearer }

function sender(operation: AnyOperation, known: RequestCaseFacts) {
  return (
    name: string,
    code: ErrorCode,
    body: unknown,
    { headers = [JSON_TYPE, ...keyLine(operation)], bearer }: Send = {},
  ): BadRequest => ({
    name: `${operation.name}: ${name}`,
    method: operation.method,
    target: targetOf(operation, known),
    headers,
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    ...(bearer !== undefined && { bearer }),
    code,
  })
}

/** Returns lines 1 to 24 for each operation, with a body where one is allowed. */
export function httpCases(operations: readonly AnyOperation[], known: RequestCaseFacts): BadRequest[] {
  return operations.flatMap((operation): BadRequest[] => {
    const { name, method } = operation
    const target = queried(operation, known)
    const body =
      method === 'GET'
        ? {}
        : { headers: [JSON_TYPE, ...keyLine(operation)], body: JSON.stringify(bodyOf(operation)) }
    const at = (what: string, code: ErrorCode, rest: Partial<BadRequest> = {}): BadRequest => ({
      name: `${name}: ${what}`,
      method,
      target,
      ...body,
      code,
      ...rest,
    })
    const join = target.includes('?') ? '&' : '?'
    return [
      at('1 no Authorization', 'missing_token', { bearer: 'none' }),
      at('5 a token in the query', 'invalid_request', { target: `${target}${join}access_token=x` }),
      at('7 another method', 'method_not_allowed', { method: 'PATCH' }),
      at('7 TRACE', 'method_not_allowed', { method: 'TRACE' }),
      at('16 a page of another origin', 'origin_not_allowed', {
        headers: [JSON_TYPE, 'Origin: https://evil.example'],
      }),
      at('17 a doubled slash', 'route_not_found', { target: target.replace('/v1/', '/v1//') }),
      at('17 dot segments', 'route_not_found', { target: target.replace('/v1/', '/v1/x/../') }),
      at('17 encoded dot segments', 'route_not_found', { target: target.replace('/v1/', '/v1/x/%2e%2e/') }),
      at('17 an encoded NUL', 'route_not_found', { target: target.replace('/v1/', '/v1/%00/') }),
      at('23 another version', 'route_not_found', { target: target.replace('/v1/', '/v2/') }),
      at('23 more path', 'route_not_found', { target: target.replace(/(\?|$)/, '/and/more$1') }),
      at('24 takes no JSON', 'not_acceptable', { headers: [...(body.headers ?? []), 'Accept: text/html'] }),
      at('45 an expired token', 'invalid_token', { bearer: 'expired' }),
      at('45 a token with one bit flipped', 'invalid_token', { bearer: 'flipped' }),
      ...(method === 'GET' ? [at('6 a body', 'invalid_request', { headers: [JSON_TYPE], body: '{}' })] : []),
    ]
  })
}

/** Returns the target of a GET with its example as the query. */
function queried(
  operation: AnyOperation,
  known: RequestCaseFacts,
  values: Record<string, string> = {},
): string {
  const target = targetOf(operation, known, values)
  if (operation.method !== 'GET') return target
  const rest = Object.entries(bodyOf(operation)).flatMap(([name, value]) =>
    [value].flat().map((one) => `${name}=${encodeURIComponent(String(one))}`),
  )
  return rest.length === 0 ? target : `${target}?${rest.join('&')}`
}

/** Returns lines 8, 9, 20 and 25 to 31 for each operation with a body: invalid bodies. */
export function textCases(operations: readonly AnyOperation[], known: RequestCaseFacts): BadRequest[] {
  // As a text it would be encoded again for each request, which takes a fifth of a file's time.
  const huge = Buffer.concat([Buffer.from('{"note":"'), Buffer.alloc(100_000_000, 'a'), Buffer.from('"}')])
  return operations
    .filter(({ method }) => method !== 'GET')
    .flatMap((operation): BadRequest[] => {
      const bad = sender(operation, known)
      const good = bodyOf(operation)
      const text = JSON.stringify(good)
      const deep = (depth: number): string => '{"note":'.concat('['.repeat(depth), ']'.repeat(depth), '}')
      const withType = (type: string): Send => ({ headers: [`Content-Type: ${type}`] })
      return [
        bad('8 text', 'unsupported_media_type', text, withType('text/plain')),
        bad('8 XML', 'unsupported_media_type', '<a/>', withType('application/xml')),
        bad('8 a form', 'unsupported_media_type', 'a=1', withType('application/x-www-form-urlencoded')),
        bad('8 no type', 'unsupported_media_type', text, { headers: [] }),
        bad('8 UTF-16', 'unsupported_media_type', text, withType('application/json; charset=utf-16')),
        bad('9 one byte over the limit', 'payload_too_large', ' '.repeat(operation.bodyLimit + 1)),
        bad('20 gzip', 'unsupported_media_type', text, { headers: [JSON_TYPE, 'Content-Encoding: gzip'] }),
        // A DELETE may have no body.
        ...(operation.method === 'DELETE' ? [] : [bad('25 empty', 'malformed_json', '')]),
        ...['null', '[]', '"x"', 'true', '7'].map((value) => bad(`25 ${value}`, 'invalid_request', value)),
        bad('26 33 levels', 'malformed_json', deep(32)),
        bad('26 1,000 levels', 'malformed_json', deep(1000)),
        bad(
          '26 as deep as the limit allows',
          'malformed_json',
          deep(Math.floor(operation.bodyLimit / 2) - 20),
        ),
        bad('27 a member twice', 'malformed_json', text.replace('{', '{"note":"a","note":"b",')),
        bad('28 __proto__', 'malformed_json', text.replace('{', '{"__proto__":{"admin":true},')),
        bad('28 constructor', 'invalid_request', { ...good, constructor: { prototype: { admin: true } } }),
        bad('28 toString', 'invalid_request', { ...good, toString: 'x' }),
        bad('29 a comma at the end', 'malformed_json', text.replace(/\}$/, ',}')),
        ...['NaN', 'Infinity', '-Infinity', '1e400', '01', '1.', '.5', '+1', '0x10', "'a'"].map((value) =>
          bad(`29 ${value}`, 'malformed_json', `{"note":${value}}`),
        ),
        bad('29 an integer beyond 2^53', 'malformed_json', '{"note":9007199254740993}'),
        bad('30 a lone surrogate', 'malformed_json', '{"note":"\\ud800"}'),
        bad('30 an escaped NUL', 'malformed_json', '{"note":"\\u0000"}'),
        bad('30 a raw control character', 'malformed_json', '{"note":"\u0001"}'),
        bad(
          '30 two byte order marks',
          'malformed_json',
          Buffer.concat([Uint8Array.of(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf), Buffer.from(text)]),
        ),
        bad(
          '30 invalid UTF-8',
          'malformed_json',
          Buffer.concat([Buffer.from('{"note":"'), Uint8Array.of(0xc3, 0x28), Buffer.from('"}')]),
        ),
        bad('30 UTF-16', 'malformed_json', Buffer.from(text, 'utf16le')),
        bad('31 a string of 100 MB', 'payload_too_large', huge),
        bad(
          '31 tens of thousands of members',
          'invalid_request',
          `{${Array.from({ length: 40_000 }, (_, index) => `"k${index}":0`).join(',')}}`,
        ),
      ]
    })
}

/** Returns lines 32, 33 and 36 for each operation with a body: its fields and its key. */
export function memberCases(operations: readonly AnyOperation[], known: RequestCaseFacts): BadRequest[] {
  return operations
    .filter(({ method }) => method !== 'GET')
    .flatMap((operation): BadRequest[] => {
      const bad = sender(operation, known)
      const good = bodyOf(operation)
      const text = JSON.stringify(good)
      return [
        ...[
          { price: 0 },
          { status: 'delivered' },
          { customer_id: 'other' },
          { account_id: 'other' },
          { tracking_number_: 'x' },
        ].map((member) =>
          bad(`32 an unknown member ${Object.keys(member)[0] ?? ''}`, 'invalid_request', {
            ...good,
            ...member,
          }),
        ),
        ...wrongTypes(good).map(([place, body]) => bad(`33 ${place}`, codeAt(place), body)),
        ...(operation.idempotency === 'none' ? [] : BAD_KEYS).map(([name, ...values]) =>
          bad(`36 ${name}`, 'idempotency_key_invalid', text, {
            headers: [JSON_TYPE, ...values.map((value) => `Idempotency-Key: ${value}`)],
          }),
        ),
        bad('an unknown scenario', 'scenario_not_allowed', text, {
          headers: [JSON_TYPE, ...keyLine(operation), 'Sandbox-Scenario: sunshine'],
        }),
      ]
    })
}

const BAD_KEYS: readonly [name: string, ...values: string[]][] = [
  ['an empty key', ''],
  ['a key of 256 characters', 'k'.repeat(256)],
  ['a key with a tab', 'a\tb'],
  ['a key beyond ASCII', 'kl\u00e9'],
  ['two keys', 'a', 'b'],
]

/** Fields that may be omitted: null says the same. */
const OPTIONAL =
  /^\/(?:description|reference|starts_at|requirements|version|prep_time_minutes|(?:pickup|dropoff|place)\/name|parcel\/weight_grams)$/

/** Returns the error code at a place: the task type defines the requirements. */
function codeAt(place: string): ErrorCode {
  return place.startsWith('/requirements/') ? 'requirements_invalid' : 'invalid_request'
}

/** Returns the body with one value at a time replaced by one of another type. */
function wrongTypes(body: Record<string, unknown>): [place: string, body: unknown][] {
  const replacements: unknown[] = [null, true, 'text', 12.5, [], {}]
  const found: [string, unknown][] = []
  const visit = (value: unknown, place: string, put: (other: unknown) => unknown, isNamed = false): void => {
    for (const other of replacements) {
      // Rows of a manifest are results and not errors; other tests check their content.
      const same = typeOf(other) === typeOf(value) || (other === null && (OPTIONAL.test(place) || isNamed))
      if (!same) found.push([`${place} as ${JSON.stringify(other)}`, put(other)])
    }
    if (typeOf(value) !== 'object') return
    for (const [name, member] of Object.entries(value as Record<string, unknown>)) {
      visit(
        member,
        `${place}/${name}`,
        (other) => put({ ...(value as Record<string, unknown>), [name]: other }),
        // A place with a name is read by that where it has no point.
        name === 'location' && 'name' in (value as object),
      )
    }
  }
  for (const [name, member] of Object.entries(body))
    visit(member, `/${name}`, (other) => ({ ...body, [name]: other }))
  return found
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value
}

/** Returns lines 18, 19, 47, 49 and 56 to 59, for operations with such values. */
export function valueCases(operations: readonly AnyOperation[], known: RequestCaseFacts): BadRequest[] {
  const get = (target: string, code: ErrorCode, bearer?: Bearer): BadRequest => ({
    name: `GET ${target.slice(0, 100)}`,
    method: 'GET',
    target,
    code,
    ...(bearer !== undefined && { bearer }),
  })
  const lists = operations
    .filter(({ input }) => 'cursor' in input.properties)
    .map((operation) => queried(operation, known).replace(/[?&]limit=\d+$/, ''))
  const limits = ['-1', '0', '101', '1e9', 'NaN', '9007199254740993', '1.5', '', 'ten', '0x10', '٣']
  const paged = lists.flatMap((target) => {
    const join = target.includes('?') ? '&' : '?'
    return [
      ...limits.map((limit) => get(`${target}${join}limit=${encodeURIComponent(limit)}`, 'invalid_request')),
      get(`${target}${join}limit=1&limit=2`, 'invalid_request'),
      get(`${target}${join}limit[]=1`, 'invalid_request'),
      get(`${target}${join}cursor=forged`, 'invalid_cursor'),
      get(`${target}${join}cursor=${Buffer.from('{"v":1}').toString('base64url')}`, 'invalid_cursor'),
    ]
  })
  const cursors = [
    get(`/v1/shipments?cursor=${known.cursor.slice(0, -3)}`, 'invalid_cursor'),
    get(`/v1/shipments?cursor=${known.cursor.slice(3)}`, 'invalid_cursor'),
    get(`/v1/shipments?cursor=${known.cursor}&status=lost`, 'invalid_cursor'),
    get(`/v1/shipments?cursor=${known.otherCursor}`, 'invalid_cursor'),
    get(`/v1/hubs?cursor=${known.cursor}`, 'invalid_cursor'),
    get(`/v1/food/orders?cursor=${known.cursor}`, 'invalid_cursor'),
    get(`/v1/rides?cursor=${known.cursor}`, 'invalid_cursor'),
    get(`/v1/tasks/types?cursor=${known.cursor}`, 'invalid_cursor'),
    get(`/v1/business/orders?cursor=${known.cursor}`, 'invalid_cursor'),
    get(`/v1/business/catalog/items?cursor=${known.cursor}`, 'invalid_cursor'),
  ]
  return [
    ...paged,
    ...cursors,
    ...idCases(operations, known),
    ...scopeCases(operations, known),
    ...queryCases(get),
  ]
}

const BAD_IDS: readonly [id: string, code: ErrorCode][] = [
  ['a', 'invalid_tracking_number'],
  ['a'.repeat(10_000), 'invalid_tracking_number'],
  ['../../etc/passwd', 'route_not_found'],
  ["'; DROP TABLE shipments;--", 'invalid_tracking_number'],
  ['${7*7}', 'invalid_tracking_number'],
  ['-rf', 'invalid_tracking_number'],
  ['--help', 'invalid_tracking_number'],
  ['📦', 'invalid_tracking_number'],
  ['\u202eBG073340869CZ', 'invalid_tracking_number'],
  ['\u0417C968043370GB', 'invalid_tracking_number'],
  ['ZC968043370GB.', 'invalid_tracking_number'],
  ['ZC968043370GB\n', 'route_not_found'],
  ['ZC968043371GB', 'invalid_tracking_number'],
  ['rid_01m7vkystgfvsa9mkvef9ews00', 'invalid_tracking_number'],
  ['0', 'invalid_tracking_number'],
  ['-1', 'invalid_tracking_number'],
  ['9007199254740992', 'invalid_tracking_number'],
  ['null', 'invalid_tracking_number'],
  ['undefined', 'invalid_tracking_number'],
  ['constructor', 'invalid_tracking_number'],
  ['__proto__', 'invalid_tracking_number'],
  ['%', 'invalid_tracking_number'],
]

/** Encodes an id for a path; a placeholder for an id of the store is kept. */
function encode(id: string): string {
  return id.startsWith('<') ? id : encodeURIComponent(id)
}

/** The error code for an unknown path parameter. Ids of the program itself are opaque: any text may be one. */
const NOT_FOUND: Readonly<Record<string, ErrorCode>> = {
  tracking_number: 'shipment_not_found',
  order_id: 'order_not_found',
  item_id: 'item_not_found',
  merchant_id: 'merchant_not_found',
  ride_id: 'ride_not_found',
  delivery_id: 'delivery_not_found',
  provider_id: 'provider_not_found',
  booking_id: 'booking_not_found',
  task_id: 'task_not_found',
  endpoint_id: 'webhook_endpoint_not_found',
}

function badIdCode(parameter: string, id: string, code: ErrorCode): ErrorCode {
  if (parameter === 'tracking_number' || code === 'route_not_found') return code
  return id.length > 60 ? 'invalid_request' : (NOT_FOUND[parameter] ?? code)
}

function idCases(operations: readonly AnyOperation[], known: RequestCaseFacts): BadRequest[] {
  return operations.flatMap((operation) => {
    const [parameter] = operation.pathParameters
    const at = known.ids[parameter ?? '']
    const missing = NOT_FOUND[parameter ?? '']
    if (parameter === undefined || at === undefined || missing === undefined) return []
    const ids: [string, ErrorCode][] = [
      ...BAD_IDS.map(([id, code]): [string, ErrorCode] => [id, badIdCode(parameter, id, code)]),
      [at.unknown, missing],
      [`${at.unknown} `, missing],
    ]
    // A menu is public.
    if (at.other !== at.own) ids.push([at.other, missing])
    return ids.map(([id, code]) => ({
      name: `${operation.name}: 56 ${JSON.stringify(id.slice(0, 40))}`,
      method: operation.method,
      target: queried(operation, known, { [parameter]: encode(id) }),
      ...(operation.method !== 'GET' && { headers: [JSON_TYPE], body: JSON.stringify(bodyOf(operation)) }),
      code,
    }))
  })
}

/** Returns each operation with a token of every scope except its own. */
function scopeCases(operations: readonly AnyOperation[], known: RequestCaseFacts): BadRequest[] {
  const scopes = [...new Set(operations.map(({ scope }) => scope))]
  return operations.flatMap((operation) =>
    scopes
      .filter((scope) => scope !== operation.scope)
      .map((scope) => ({
        name: `${operation.name}: 47 with ${scope} only`,
        method: operation.method,
        target: queried(operation, known),
        // It is rejected before its body is read.
        ...(operation.method !== 'GET' && { headers: ['Content-Type: text/plain'], body: 'x' }),
        bearer: { scopes: [scope] },
        code: 'insufficient_scope' as const,
      })),
  )
}

function queryCases(get: (target: string, code: ErrorCode) => BadRequest): BadRequest[] {
  const points = [
    'latitude=90.0000001&longitude=0',
    'latitude=0&longitude=180.0001',
    'latitude=NaN&longitude=0',
    'latitude=a&longitude=b',
    'latitude=51.5',
    'longitude=0',
    '',
  ]
  const days = [
    '2026-02-30',
    '2026-13-01',
    '2026-11-20T24:00:00Z',
    '2026-11-20T10:00:60Z',
    '2026-11-20T10:00:00',
    '2026-11-20T10:00:00%2B24:00',
    '0000-01-01',
    '10000-01-01',
    '-0001-01-01',
    '1763596800',
    '1763596800000',
    'yesterday',
    '',
  ]
  return [
    ...points.map((query) => get(`/v1/coverage?${query}`, 'invalid_request')),
    get('/v1/coverage?postal_code=RG1%201DB&country_code=GB&latitude=51.5&longitude=0', 'invalid_request'),
    get(`/v1/coverage?postal_code=${'R'.repeat(200)}&country_code=GB`, 'invalid_request'),
    ...days.map((day) => get(`/v1/shipments?created_from=${day}`, 'invalid_request')),
    get('/v1/shipments?status=asleep', 'invalid_request'),
    get('/v1/shipments?constructor=1', 'invalid_request'),
    get('/v1/shipments?__proto__=1', 'invalid_request'),
    get('/v1/shipments?reference=%ff%fe%00', 'invalid_request'),
  ]
}
