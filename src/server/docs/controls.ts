/** The page of the sandbox's control calls, each with a working example. */
import type { AnySandboxOperation } from '../../core/operation.ts'
import { CONTROL_EXAMPLES } from '../../generated/control-examples.ts'
import { html, prose } from '../html.ts'
import type { Html } from '../html.ts'
import { block, json } from './code.ts'
import type { ControlExample } from './example.ts'
import type { Page } from './layout.ts'
import { breakable, type Named, listCodes, showAnswer, showFacts, showInput } from './operations.ts'
import { CONTROLS_PATH } from './page-of.ts'

/** Returns the page. `describedOf` finds a call in the OpenAPI document of the sandbox, with the names of its schemas. */
export function controlsPage(
  controls: readonly AnySandboxOperation[],
  describedOf: (control: AnySandboxOperation) => Named,
): Page {
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
      ${controls.map((control) => showControl(control, describedOf(control)))}`,
  }
}

function showControl(control: AnySandboxOperation, described: Named): Html {
  const { name, summary, description, method, path, cli, errors } = control
  const example = CONTROL_EXAMPLES.find(({ operation }) => operation === name)
  return html`<section id="${name}" aria-labelledby="${name}-title">
    <h2 id="${name}-title"><a href="#${name}">${name}</a></h2>
    <p class="lead">${summary}</p>
    <p class="request">
      <span class="method ${method.toLowerCase()}">${method}</span> <code>${breakable(path)}</code>
    </p>
    ${description !== undefined && html`<p>${prose(description)}</p>`}
    ${showFacts([
      ['Command', html`<code>dray ${cli.command}</code>`],
      ['In the OpenAPI document', html`${described.names.map((each) => html`<code>${each}</code> `)}`],
    ])}
    <h3>Input</h3>
    ${showInput(control, described)}
    <h3>Answer</h3>
    ${showAnswer({ status: 200 }, described)} ${errors.length > 0 && html`<h3>Errors</h3>`}
    ${listCodes(errors)} ${example !== undefined && showExample(example)}
  </section>`
}

function showExample({ operation, curl, answer }: ControlExample): Html {
  return html`<h3>Example</h3>
    ${block('curl', curl, `Control call ${operation}`)}
    <details>
      <summary>The answer: <code>200</code></summary>
      ${block('Answer', html`${json(answer)}`, `Answer to ${operation}`)}
    </details>`
}
