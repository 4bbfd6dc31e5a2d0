/** The page of the sandbox's control calls, each with a working example. */
import type { AnySandboxOperation } from '../../core/operation.ts'
import { CONTROL_EXAMPLES } from '../../generated/control-examples.ts'
import { html } from '../html.ts'
import type { Html } from '../html.ts'
import { renderCodeBlock, highlightJson } from './code.ts'
import type { ControlExample } from './example.ts'
import type { ReferencePage } from './layout.ts'
import { commandFact, documentFact, listCodes, type NamedOperationObject, renderCall } from './operations.ts'
import { CONTROLS_PATH } from './page-of.ts'

/** Returns the page. `describedOf` finds a call in the OpenAPI document of the sandbox, with the names of its schemas. */
export function controlsPage(
  controls: readonly AnySandboxOperation[],
  describedOf: (control: AnySandboxOperation) => NamedOperationObject,
): ReferencePage {
  return {
    path: CONTROLS_PATH,
    title: 'Sandbox',
    lead: 'Control calls: clock, accounts, payments, scans, faults and content of a sandbox.',
    places: controls.map(({ name }) => ({ id: name, title: name })),
    body: html`<p>
        They take the control token, which stands in the <code>.control</code> file next to the store of
        <code>dray serve</code>, and answer programs of the same machine unless the operator opened them to
        all. The OpenAPI document of these calls is at
        <a href="/sandbox/openapi.json">/sandbox/openapi.json</a>.
      </p>
      ${controls.map((control) => renderControl(control, describedOf(control)))}`,
  }
}

function renderControl(control: AnySandboxOperation, described: NamedOperationObject): Html {
  const { name, cli, errors } = control
  const example = CONTROL_EXAMPLES.find(({ operation }) => operation === name)
  return renderCall(
    { ...control, status: 200 },
    described,
    [commandFact(cli), documentFact(described.names)],
    html`${errors.length > 0 && html`<h3>Errors</h3>`} ${listCodes(errors)}
    ${example !== undefined && renderControlExample(example)}`,
  )
}

function renderControlExample({ operation, curl, answer }: ControlExample): Html {
  return html`<h3>Example</h3>
    ${renderCodeBlock('curl', curl, `Control call ${operation}`)}
    <details>
      <summary>The answer: <code>200</code></summary>
      ${renderCodeBlock('Answer', html`${highlightJson(answer)}`, `Answer to ${operation}`)}
    </details>`
}
