/** The JSON Schema of a scenario file, for validation and for completion in editors. */

const text = (description: string) =>
  ({ type: 'string', minLength: 1, maxLength: 2000, description }) as const
const object = (description: string) => ({ type: 'object', description }) as const

const span = text('How far the clock moves on: 90s, 30m, 2h, 3d')

const event = {
  anyOf: [
    text('Type of the event, as order.accepted'),
    {
      type: 'object',
      additionalProperties: false,
      required: ['type'],
      properties: {
        type: text('Type of the event, as order.accepted'),
        resource: text('Whose event it is, as ${order.order_id}'),
        from: text('The state before'),
        to: text('The state after'),
        by: text('Who caused it'),
      },
    },
  ],
} as const

const expectation = {
  type: 'object',
  additionalProperties: false,
  description: 'Expectations after the step; without them, it must succeed',
  properties: {
    status: { type: 'integer', minimum: 200, maximum: 599, description: 'HTTP status' },
    code: text('Error code of a refusal, as quote_expired'),
    replayed: {
      type: 'boolean',
      description: 'True if it is the answer of an earlier call with the same key',
    },
    fields: object(
      'JMESPath into the answer -> value, or comparisons: equals, not, above, at_least, below, at_most, one_of, matches (a regular expression), contains, length, present (true or false)',
    ),
    events: {
      type: 'array',
      items: event,
      description: 'Events since the step began, in this order; [] for none',
    },
  },
} as const

const step = {
  type: 'object',
  additionalProperties: false,
  description: 'One call, one control call, or time that passes',
  properties: {
    id: {
      type: 'string',
      pattern: '^[a-z][a-z0-9_]{0,39}$',
      description: 'Name of its answer for later steps: ${id.field}',
      errorMessage: 'must be small letters, digits and _, a letter first, at most 40',
    },
    name: text('What the step is about, for people'),
    call: text('Operation, by its name'),
    control: text('Control call of the sandbox, by its name'),
    advance: span,
    advance_to: text('The instant that the clock shows then, as 2026-11-20T18:00:00Z'),
    as: text('Sandbox account that calls'),
    scenario: text('Fate of what is created: the Sandbox-Scenario header'),
    idempotency_key: text('Key of the call; one of its own without it'),
    input: object('Input of the call; ${id.field} takes what an earlier step answered'),
    expect: expectation,
  },
} as const

export const SCENARIO_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Scenario of dray',
  description: '`dray scenario run FILE` carries it out',
  type: 'object',
  additionalProperties: false,
  required: ['steps'],
  properties: {
    $schema: { type: 'string' },
    name: text('What the scenario is about'),
    description: text('The same at length'),
    seed: {
      type: 'integer',
      minimum: 0,
      description: 'Seed of the fresh sandbox that --ephemeral makes',
    },
    at: text('Instant at which the clock of that sandbox stands, as 2026-11-20T12:00:00Z'),
    as: text('Sandbox account that calls where a step names none'),
    variables: object(
      'Name -> value, used as ${var.name}; --set name=value gives another; null must be given',
    ),
    steps: { type: 'array', minItems: 1, maxItems: 5000, items: step },
  },
} as const
