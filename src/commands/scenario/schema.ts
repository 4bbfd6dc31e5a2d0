/** The JSON Schema of a scenario file, for validation and for completion in editors. */

export type Expectation = {
  status?: number
  code?: string
  replayed?: boolean
  fields?: Record<string, unknown>
  events?: unknown[]
}

export type ScenarioStep = {
  id?: string
  name?: string
  call?: string
  control?: string
  advance?: string
  advance_to?: string
  include?: string
  with?: Record<string, unknown>
  for_each?: string | Record<string, unknown>[]
  steps?: ScenarioStep[]
  as?: string
  scenario?: string
  fault?: string
  idempotency_key?: string
  input?: Record<string, unknown>
  expect?: Expectation
}

const text = (description: string) =>
  ({ type: 'string', minLength: 1, maxLength: 2000, description }) as const
const object = (description: string) => ({ type: 'object', description }) as const

/** A value that is only known from a reference, such as a column of a table. */
const reference = { type: 'string', pattern: String.raw`^\$\{.*\}$` } as const

const span = text('Duration to advance the clock by: 90s, 30m, 2h, 3d')

const event = {
  anyOf: [
    text('Event type, such as order.accepted'),
    {
      type: 'object',
      additionalProperties: false,
      required: ['type'],
      properties: {
        type: text('Event type, such as order.accepted'),
        resource: text('Resource of the event, such as ${order.order_id}'),
        from: text('Previous status'),
        to: text('New status'),
        by: text('Actor'),
      },
    },
  ],
} as const

const expectation = {
  type: 'object',
  additionalProperties: false,
  description: 'Expectations after the step; without them, it must succeed',
  properties: {
    status: {
      anyOf: [{ type: 'integer', minimum: 200, maximum: 599 }, reference],
      description: 'HTTP status',
    },
    code: text('Error code, such as quote_expired'),
    replayed: {
      anyOf: [{ type: 'boolean' }, reference],
      description: 'True if this is the stored response of an earlier call with the same key',
    },
    fields: object(
      'JMESPath of the response -> value, or comparisons: equals, not, above, at_least, below, at_most, one_of, matches (a regular expression), contains, length, present (true or false)',
    ),
    events: {
      type: 'array',
      items: event,
      description: 'Events since the step began, in this order; [] for none',
    },
  },
} as const

const one = {
  id: {
    type: 'string',
    pattern: '^[a-z][a-z0-9_]{0,39}$',
    description: 'Name of the response for later steps: ${id.field}',
    errorMessage: 'must be small letters, digits and _, a letter first, at most 40',
  },
  name: text('Title of the step'),
  call: text('Operation name'),
  control: text('Name of a sandbox control call'),
  advance: span,
  advance_to: text('Time to advance the clock to, such as 2026-11-20T18:00:00Z'),
  include: text('Scenario file whose steps run here; relative to this file'),
  with: object('Variables of the included file: name -> value; ${id.step.field} refers to its responses'),
  as: text('Sandbox account of the call'),
  scenario: text('Sandbox scenario of the created resource (Sandbox-Scenario header)'),
  fault: text('Fault on order for the call, such as after_commit or status=503 (Sandbox-Fault header)'),
  idempotency_key: text('Idempotency key of the call. Default: a new key'),
  input: object('Input of the call; ${id.field} inserts a value from an earlier response'),
  expect: expectation,
} as const

const plain = {
  type: 'object',
  additionalProperties: false,
  description: 'One call, one control call, an advance of the clock, or the steps of another file',
  properties: one,
} as const

const step = {
  ...plain,
  description:
    'One call, one control call, an advance of the clock, the steps of another file, or of each row',
  properties: {
    ...one,
    for_each: {
      anyOf: [
        text('CSV file with a header, relative to this file'),
        { type: 'array', minItems: 1, items: { type: 'object' } },
      ],
      description: 'Rows, or a CSV file beside this one: steps runs for each, and ${row.column} is a value',
    },
    steps: { type: 'array', minItems: 1, maxItems: 200, items: plain, description: 'Steps for each row' },
  },
} as const

export const SCENARIO_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Scenario of dray',
  description: '`dray scenario run FILE` runs it',
  type: 'object',
  additionalProperties: false,
  required: ['steps'],
  properties: {
    $schema: { type: 'string' },
    name: text('Title of the scenario'),
    description: text('Description of the scenario'),
    seed: {
      type: 'integer',
      minimum: 0,
      description: 'Seed of the temporary sandbox of --ephemeral',
    },
    at: text('Frozen time of the temporary sandbox, such as 2026-11-20T12:00:00Z'),
    as: text('Sandbox account of the call where a step names none'),
    variables: object(
      'Variables: name -> value, used as ${var.name}; --set name=value overrides; null requires a value',
    ),
    steps: { type: 'array', minItems: 1, maxItems: 5000, items: step },
  },
} as const
