/** All pages of the reference. */
import { ERRORS } from '../../core/errors.ts'
import type { ErrorCode } from '../../core/errors.ts'
import type { AnyOperation, AnySandboxOperation } from '../../core/operation.ts'
import { yieldToEventLoop } from '../../core/yield.ts'
import { EXAMPLES } from '../../generated/examples.ts'
import { html, renderProse } from '../html.ts'
import type { Html } from '../html.ts'
import { parseRefName, nameSchemas } from '../openapi-names.ts'
import { describeControls } from '../openapi-sandbox.ts'
import type { JsonNode } from '../openapi-schemas.ts'
import { describeOperations, problemCodes } from '../openapi.ts'
import { ICON } from '../theme.ts'
import { controlsPage } from './controls.ts'
import { renderFields } from './fields.ts'
import { renderReferencePage } from './layout.ts'
import type { ReferencePage } from './layout.ts'
import { renderOperation } from './operations.ts'
import type { OperationObject, NamedOperationObject } from './operations.ts'
import { overviewPage } from './overview.ts'
import { CONTROLS_PATH, listPages, type OperationsPage, pathOf } from './page-of.ts'
import { REFERENCE_STYLE } from './style.ts'

/** The files by path. Their bytes are built once: each of many responses would hold a copy until it is read. */
export type ReferenceFiles = Readonly<Record<string, { type: string; bytes: Uint8Array }>>

/**
 * Returns the files of the reference, with a page of the control calls where there are some. Other calls have their turn
 * between its parts.
 */
export async function makeFiles(
  operations: readonly AnyOperation[],
  controls: readonly AnySandboxOperation[],
  version: string,
): Promise<ReferenceFiles> {
  const document = describeOperations(operations, version)
  await yieldToEventLoop()
  const sandbox = describeControls(controls, { version })
  await yieldToEventLoop()
  const [ofOperation, ofControl] = [finderIn(document), finderIn(sandbox)]
  const makers = [
    () => overviewPage(operations),
    ...listPages(operations).map((page) => () => operationsPage(page, ofOperation)),
    ...(controls.length === 0 ? [] : [() => controlsPage(controls, ofControl)]),
    () => shapesPage({ ...schemasOf(sandbox), ...schemasOf(document) }),
    () => errorsPage(operations, controls),
  ]
  const pages: ReferencePage[] = []
  for (const make of makers) {
    await yieldToEventLoop()
    pages.push(make())
  }
  const files: Record<string, ReferenceFiles[string]> = {}
  for (const page of pages) {
    await yieldToEventLoop()
    const bytes = Buffer.from(renderReferencePage(page, pages, version))
    files[page.path] = { type: 'text/html; charset=utf-8', bytes }
  }
  return {
    ...files,
    '/docs/style.css': { type: 'text/css; charset=utf-8', bytes: Buffer.from(REFERENCE_STYLE) },
    '/docs/icon.svg': { type: 'image/svg+xml', bytes: Buffer.from(ICON) },
  }
}

type Paths = Record<string, Record<string, OperationObject>>
type CallAddress = { path: string; method: string; status?: number }

/** Returns a function that finds a call in a document, with the names that `nameSchemas` gives its body and answer. */
function finderIn(document: JsonNode): (call: CallAddress) => NamedOperationObject {
  const [paths, named] = [document, nameSchemas(document)].map((each) => each['paths'] as unknown as Paths)
  return ({ path, method, status = 200 }) => {
    const described = paths?.[path]?.[method.toLowerCase()]
    if (described === undefined) throw new Error(`${method} ${path} is not in the document`)
    return { ...described, names: namesOf(named?.[path]?.[method.toLowerCase()], status) }
  }
}

function schemasOf({ components }: JsonNode): Record<string, JsonNode> {
  return (components as { schemas: Record<string, JsonNode> }).schemas
}

function operationsPage(
  { operations, ...texts }: OperationsPage,
  describedOf: (operation: AnyOperation) => NamedOperationObject,
): ReferencePage {
  return {
    ...texts,
    places: operations.map(({ name }) => ({ id: name, title: name })),
    body: html`${operations.map((operation) => {
      const examples = EXAMPLES.filter((example) => example.operation === operation.name)
      return renderOperation(operation, describedOf(operation), examples)
    })}`,
  }
}

/** Returns the names that the OpenAPI document gives the body and the response. */
function namesOf(described: OperationObject | undefined, status: number): string[] {
  const whole = [described?.requestBody, described?.responses[status]]
  const references = whole.map((given) => given?.content['application/json']?.schema['$ref'])
  return references.flatMap((given) => (typeof given === 'string' ? [parseRefName(given)] : []))
}

function shapesPage(schemas: Record<string, JsonNode>): ReferencePage {
  const names = Object.keys(schemas)
  return {
    path: '/docs/shapes',
    title: 'Shapes',
    lead: 'Objects of several operations.',
    places: names.map((name) => ({ id: name, title: name })),
    body: html`${Object.entries(schemas).map(
      ([name, schema]) =>
        html`<section id="${name}" aria-labelledby="${name}-title">
          <h2 id="${name}-title"><a href="#${name}">${name}</a></h2>
          ${typeof schema['description'] === 'string' && html`<p>${renderProse(schema['description'])}</p>`}
          ${renderFields(schema, 'given')}
        </section>`,
    )}`,
  }
}

/** A call on the page of errors. The codes of every control call stand in its OpenAPI document alone. */
type CallWithErrors = { name: string; path: string; codes: readonly ErrorCode[] }

function errorsPage(
  operations: readonly AnyOperation[],
  controls: readonly AnySandboxOperation[],
): ReferencePage {
  const calls: CallWithErrors[] = [
    ...operations.map((each) => ({ name: each.name, path: pathOf(each), codes: problemCodes(each) })),
    ...controls.map(({ name, errors }) => ({ name, path: CONTROLS_PATH, codes: errors })),
  ]
  const byStatus = Map.groupBy(
    (Object.keys(ERRORS) as ErrorCode[]).filter((code) => calls.some(({ codes }) => codes.includes(code))),
    (code) => ERRORS[code].status ?? 0,
  )
  const statuses = [...byStatus].toSorted(([a], [b]) => a - b)
  return {
    path: '/docs/errors',
    title: 'Errors',
    lead: 'Every code that a call can meet. Decide by the code: its title and its status never change.',
    places: statuses.map(([status]) => ({ id: `status-${status}`, title: String(status) })),
    body: html`${statuses.map(
      ([status, codes]) =>
        html`<section id="status-${status}" aria-labelledby="status-${status}-title">
          <h2 id="status-${status}-title"><a href="#status-${status}">${status}</a></h2>
          <dl class="errors">
            ${codes.map((code) =>
              renderErrorCode(
                code,
                calls.filter((call) => call.codes.includes(code)),
                operations.length,
              ),
            )}
          </dl>
        </section>`,
    )}`,
  }
}

function renderErrorCode(code: ErrorCode, from: readonly CallWithErrors[], operations: number): Html {
  const { title, hint, retryable = false } = ERRORS[code]
  return html`<div id="${code}">
    <dt><code>${code}</code></dt>
    <dd>
      <p>${title}.${retryable && html` <strong class="note">may succeed later</strong>`}</p>
      ${hint !== undefined && html`<p>${renderProse(hint)}</p>`}
      <p class="soft">
        ${
          from.length === operations
            ? 'Of every operation.'
            : from.length > 12
              ? html`Of ${from.length} calls.`
              : html`Of
                ${from.map(
                  ({ name, path }, index) => html`${index > 0 && ', '}<a href="${path}#${name}">${name}</a>`,
                )}.`
        }
      </p>
    </dd>
  </div>`
}
