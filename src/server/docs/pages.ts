/** All pages of the reference. */
import { ERRORS } from '../../core/errors.ts'
import type { ErrorCode } from '../../core/errors.ts'
import type { AnyOperation } from '../../core/operation.ts'
import { turn } from '../../core/turn.ts'
import { EXAMPLES } from '../../generated/examples.ts'
import { html, prose } from '../html.ts'
import type { Html } from '../html.ts'
import { ICON } from '../look.ts'
import { nameOf, nameSchemas } from '../openapi-names.ts'
import type { Node } from '../openapi-schemas.ts'
import { describeOperations, problemCodes } from '../openapi.ts'
import { listFields } from './fields.ts'
import { documentOf } from './layout.ts'
import type { Page } from './layout.ts'
import { showOperation } from './operations.ts'
import type { Described } from './operations.ts'
import { overviewPage } from './overview.ts'
import { listPages, type OperationsPage, pathOf } from './page-of.ts'
import { STYLE } from './style.ts'

/** The files by path. Their bytes are built once: each of many responses would hold a copy until it is read. */
export type Files = Readonly<Record<string, { type: string; bytes: Uint8Array }>>

/** Returns the files of the reference. Other calls have their turn between its parts. */
export async function makeFiles(operations: readonly AnyOperation[], version: string): Promise<Files> {
  const document = describeOperations(operations, version) as unknown as Document
  await turn()
  const named = nameSchemas(document as unknown as Node) as unknown as Document
  const makers = [
    () => overviewPage(operations),
    ...listPages(operations).map((page) => () => operationsPage(page, document, named)),
    () => shapesPage(document),
    () => errorsPage(operations),
  ]
  const pages: Page[] = []
  for (const make of makers) {
    await turn()
    pages.push(make())
  }
  const files: Record<string, Files[string]> = {}
  for (const page of pages) {
    await turn()
    const bytes = Buffer.from(documentOf(page, pages, version))
    files[page.path] = { type: 'text/html; charset=utf-8', bytes }
  }
  return {
    ...files,
    '/docs/style.css': { type: 'text/css; charset=utf-8', bytes: Buffer.from(STYLE) },
    '/docs/icon.svg': { type: 'image/svg+xml', bytes: Buffer.from(ICON) },
  }
}

type Document = {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Node> }
}

function operationsPage(
  { operations, ...texts }: OperationsPage,
  { paths }: Document,
  named: Document,
): Page {
  return {
    ...texts,
    places: operations.map(({ name }) => ({ id: name, title: name })),
    body: html`${operations.map((operation) => {
      const described = paths[operation.path]?.[operation.method.toLowerCase()]
      if (described === undefined) throw new Error(`${operation.name} is not in the document`)
      const examples = EXAMPLES.filter((example) => example.operation === operation.name)
      const names = namesOf(named.paths[operation.path]?.[operation.method.toLowerCase()], operation.status)
      return showOperation(operation, { ...described, names }, examples)
    })}`,
  }
}

/** Returns the names that the OpenAPI document gives the body and the answer. */
function namesOf(described: Described | undefined, status: number): string[] {
  const whole = [described?.requestBody, described?.responses[status]]
  const references = whole.map((given) => given?.content['application/json']?.schema['$ref'])
  return references.flatMap((given) => (typeof given === 'string' ? [nameOf(given)] : []))
}

function shapesPage({ components: { schemas } }: Document): Page {
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
          ${typeof schema['description'] === 'string' && html`<p>${prose(schema['description'])}</p>`}
          ${listFields(schema, 'given')}
        </section>`,
    )}`,
  }
}

function errorsPage(operations: readonly AnyOperation[]): Page {
  const byStatus = Map.groupBy(
    (Object.keys(ERRORS) as ErrorCode[]).filter((code) =>
      operations.some((operation) => problemCodes(operation).includes(code)),
    ),
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
          <dl class="errors">${codes.map((code) => showCode(code, operations))}</dl>
        </section>`,
    )}`,
  }
}

function showCode(code: ErrorCode, operations: readonly AnyOperation[]): Html {
  const { title, hint, retryable = false } = ERRORS[code]
  const from = operations.filter((operation) => problemCodes(operation).includes(code))
  return html`<div id="${code}">
    <dt><code>${code}</code></dt>
    <dd>
      <p>${title}.${retryable && html` <strong class="note">may succeed later</strong>`}</p>
      ${hint !== undefined && html`<p>${prose(hint)}</p>`}
      <p class="soft">
        ${
          from.length === operations.length
            ? 'Of every operation.'
            : from.length > 12
              ? html`Of ${from.length} operations.`
              : html`Of
                ${from.map(
                  (operation, index) =>
                    html`${index > 0 && ', '}<a href="${pathOf(operation)}#${operation.name}"
                        >${operation.name}</a
                      >`,
                )}.`
        }
      </p>
    </dd>
  </div>`
}
