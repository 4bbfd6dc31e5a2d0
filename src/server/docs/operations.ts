/** The page of an area: its operations, each with its rules and a working example. */
import type { ErrorCode } from '../../core/errors.ts'
import type { AnyOperation } from '../../core/operation.ts'
import type { Spending } from '../../core/spending.ts'
import { html, renderProse } from '../html.ts'
import type { Html } from '../html.ts'
import type { JsonNode } from '../openapi-schemas.ts'
import { problemCodes } from '../openapi.ts'
import { renderCodeBlock, highlightJson } from './code.ts'
import type { Example } from './example.ts'
import { listField, renderFields, listWhole } from './fields.ts'

/** The parts of an operation in the OpenAPI document that are shown. */
export type OperationObject = {
  parameters: {
    $ref?: string
    name?: string
    in?: string
    required?: boolean
    schema?: JsonNode
    description?: string
  }[]
  requestBody?: { content: Record<string, { schema: JsonNode }> }
  responses: Record<string, { description: string; content: Record<string, { schema: JsonNode }> }>
}

/** The same, with the names of its schemas there. */
export type NamedOperationObject = OperationObject & { names: readonly string[] }

const ENTITLEMENTS: Readonly<Record<AnyOperation['entitlement'], string>> = {
  none: 'nothing else',
  service_one: 'an active membership',
  carrier_agreement: 'a carrier agreement',
  business_agreement: 'a business agreement',
}

const KEYS: Readonly<Record<AnyOperation['idempotency'], string>> = {
  required: 'required: the same key and content is done once',
  supported: 'taken: the same key and content is done once',
  none: 'not needed: nothing changes',
}

/** Returns the section of an operation. */
export function renderOperation(
  operation: AnyOperation,
  described: NamedOperationObject,
  examples: readonly Example[],
): Html {
  return renderCall(
    operation,
    described,
    factsOf(operation, described.names),
    html`<h3>Errors</h3>
      ${renderErrors(operation)}
      <h3>Example</h3>
      ${examples.map(renderExample)}`,
  )
}

type CallHeading = Pick<
  AnyOperation,
  'name' | 'summary' | 'description' | 'method' | 'pathParameters' | 'status'
> & {
  path: string
}

/** Returns the section of a call: its facts, input and answer, then the rest. */
export function renderCall(
  call: CallHeading,
  described: NamedOperationObject,
  facts: readonly Fact[],
  rest: Html,
): Html {
  const { name, summary, description, method, path } = call
  return html`<section id="${name}" aria-labelledby="${name}-title">
    <h2 id="${name}-title"><a href="#${name}">${name}</a></h2>
    <p class="lead">${summary}</p>
    <p class="request">
      <span class="method ${method.toLowerCase()}">${method}</span> <code>${breakable(path)}</code>
    </p>
    ${description !== undefined && html`<p>${renderProse(description)}</p>`} ${renderFacts(facts)}
    <h3>Input</h3>
    ${renderInput(call, described)}
    <h3>Answer</h3>
    ${renderOutput(call, described)} ${rest}
  </section>`
}

/** Returns a path that may break after each slash. */
export function breakable(path: string): Html[] {
  return path.split(/(?<=\/)/).map((part) => html`${part}<wbr />`)
}

type Fact = [name: string, value: Html]

function factsOf(operation: AnyOperation, names: readonly string[]): Fact[] {
  const { scope, entitlement, idempotency, spends, maturity, cli, toolset, scenarios } = operation
  return [
    ['Scope', html`<code>${scope}</code>`],
    ['Needs', html`${ENTITLEMENTS[entitlement]}`],
    ['Idempotency-Key', html`${KEYS[idempotency]}`],
    ['Costs money', costs(spends)],
    ...(scenarios.length === 0
      ? []
      : [['Sandbox-Scenario', html`${scenarios.map((one) => html`<code>${one}</code> `)}`] as Fact]),
    commandFact(cli),
    ...(toolset === undefined ? [] : [['Beside the interface', besideText(toolset)] as Fact]),
    documentFact(names),
    ['Maturity', html`${maturity}`],
  ]
}

export function commandFact({ command }: AnyOperation['cli']): Fact {
  return ['Command', html`<code>dray ${command}</code>`]
}

export function documentFact(names: readonly string[]): Fact {
  return ['In the OpenAPI document', html`${names.map((name) => html`<code>${name}</code> `)}`]
}

function renderFacts(facts: readonly Fact[]): Html {
  return html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`
}

/** Says where agents find the tool of a call outside the core interface. */
function besideText(toolset: string | null): Html {
  return toolset === null ? html`no tool` : html`its tool is in the toolset <code>${toolset}</code>`
}

/** Says whether a call costs money, when, and where to see the price before. */
function costs(spends: Spending | undefined): Html {
  switch (spends?.how) {
    case 'quote':
      return html`yes: it charges the payment of its input with what
        <a href="#${spends.quotedBy}"><code>${spends.quotedBy}</code></a> said`
    case 'invoice':
      return html`yes: on the invoice of the agreement, at what
        <a href="#${spends.pricedBy}"><code>${spends.pricedBy}</code></a> with <code>price_only</code> says`
    case 'difference':
      return html`perhaps: what <code>expected_total</code> is above the present price, on the invoice of the
        agreement`
    case 'fee':
      return html`perhaps: a fee for cancelling late, in the answer as <code>${spends.amountAt}</code>`
    case 'refund':
      return html`no: it gives the customer’s money back, in the answer as <code>${spends.amountAt}</code>`
    case 'nothing':
    case undefined:
      return html`nothing`
  }
}

function renderInput(
  { pathParameters }: Pick<AnyOperation, 'pathParameters'>,
  { parameters, requestBody }: OperationObject,
): Html {
  const inUrl = parameters.filter(({ $ref }) => $ref === undefined)
  const body = requestBody?.content['application/json']?.schema
  const { properties = {}, $ref } = (body ?? {}) as { properties?: object; $ref?: string }
  const hasBody = $ref !== undefined || Object.keys(properties).length > 0
  if (inUrl.length === 0 && !hasBody)
    return html`<p class="soft">${body === undefined ? 'None.' : 'None: the body is an empty object.'}</p>`
  return html`${
    inUrl.length > 0 &&
    html`<ul class="fields">
      ${inUrl.map(({ name = '', in: place = '', required = false, schema = {}, description = '' }) =>
        listField(name, { ...schema, description }, { required, direction: 'sent', mark: `in the ${place}` }),
      )}
    </ul>`
  }
  ${hasBody && html`${pathParameters.length > 0 && html`<p class="soft">In the body:</p>`}${listWhole(body ?? {}, 'sent')}`}`
}

function renderOutput(
  { status, location }: Pick<AnyOperation, 'status' | 'location'>,
  { responses }: OperationObject,
): Html {
  const schema = responses[status]?.content['application/json']?.schema ?? {}
  return html`<p>
      <code>${status}</code>${location !== undefined && html`, and <code>Location</code> says where it is`}.
    </p>
    ${'$ref' in schema ? listWhole(schema, 'given') : renderFields(schema, 'given')}`
}

/** Shows the errors of the operation's own rules. The errors of every call are on another page. */
function renderErrors(operation: AnyOperation): Html {
  const codes = problemCodes(operation).filter((code) => operation.errors.includes(code) || ASKED.has(code))
  return html`${listCodes(codes)}
    <p class="soft"><a href="/docs/errors">Those that every call can meet</a> come on top.</p>`
}

/** Returns a list of links to error codes; empty without one. */
export function listCodes(codes: readonly ErrorCode[]): Html {
  return html`${
    codes.length > 0 &&
    html`<ul class="codes">
      ${codes.map(
        (code) =>
          html`<li>
            <a href="/docs/errors#${code}"><code>${code}</code></a>
          </li>`,
      )}
    </ul>`
  }`
}

const ASKED: ReadonlySet<string> = new Set(['membership_required', 'agreement_required', 'invalid_cursor'])

function renderExample(example: Example): Html {
  const { operation, name, neededBy, advanced = [], curl, dray, status, answer } = example
  // A page may have several calls of an operation, and each of its regions a name of its own.
  const call = neededBy === undefined ? operation : `${operation} (${name})`
  return html`${neededBy !== undefined && html`<p class="soft">Another one, for <code>${neededBy}</code>:</p>`}
    ${advanced.map((by) => html`<p class="soft">After <code>dray sandbox clock advance ${by}</code>:</p>`)}
    ${renderCodeBlock('curl', curl, `curl, ${call}`)} ${renderCodeBlock('dray', dray, `dray, ${call}`)}
    <details ${neededBy === undefined && OPEN}>
      <summary>The answer: <code>${status}</code></summary>
      ${renderCodeBlock('Answer', html`${highlightJson(answer)}`, `Answer of ${call}`)}
    </details>`
}

const OPEN: Html = { markup: 'open' }
