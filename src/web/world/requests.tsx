import { Fragment } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ControlAnswer } from '../../sandbox/control/index.ts'
import { control } from '../core/call.ts'
import { CopyField } from './accounts.tsx'
import { capital, words } from './words.ts'

type OperationSummary = {
  name: string
  area: string
  method: string
  path: string
  summary: string
  scope: string
  command: string
}

type OperationDetail = OperationSummary & {
  fields: { name: string; type: string; required: boolean; description: string }[]
  scenarios: string[]
  example?: { input: object; curl: string; dray: string }
}

type RequestRow = ControlAnswer<'list_requests'>['data'][number]

const FIRST = 'place_food_order'
const SHOWN = 12

/** Reads what the reference tells; undefined when the service does not answer. */
async function read<T>(path: string): Promise<T | undefined> {
  try {
    const response = await fetch(path)
    return response.ok ? ((await response.json()) as T) : undefined
  } catch {
    return undefined
  }
}

/** The requests of the interface, each with its shape; and the last ones that came. */
export function Requests({ seen }: { seen: number }) {
  const [listed, setListed] = useState<OperationSummary[]>([])
  const [name, setName] = useState(FIRST)
  const [described, setDescribed] = useState<OperationDetail>()
  useEffect(() => {
    void read<{ data: OperationSummary[] }>('/pages/requests').then((answer) => setListed(answer?.data ?? []))
  }, [])
  useEffect(() => {
    void read<OperationDetail>(`/pages/requests/${name}`).then(setDescribed)
  }, [name])
  const areas = [...Map.groupBy(listed, ({ area }) => area)]
  return (
    <section class="block" aria-labelledby="requests">
      <h2 id="requests">Requests</h2>
      <div class="two">
        <div class="ask">
          <label for="operation">Show the request</label>
          <select id="operation" value={name} onChange={(event) => setName(event.currentTarget.value)}>
            {areas.map(([area, operations]) => (
              <optgroup key={area} label={capital(words(area))}>
                {operations.map((operation) => (
                  <option key={operation.name} value={operation.name}>
                    {operation.name}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
          {described !== undefined && <Shape request={described} />}
        </div>
        <Log seen={seen} />
      </div>
    </section>
  )
}

/** A path, which breaks before a slash and never inside a word. */
function Path({ path }: { path: string }) {
  const parts = path.split(/(?=\/)/)
  return (
    <code>
      {parts.map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </code>
  )
}

function Shape({ request }: { request: OperationDetail }) {
  const { method, path, summary, scope, fields, scenarios, example, area, name } = request
  return (
    <>
      <p class="route">
        <strong>{method}</strong> <Path path={path} />
      </p>
      <p>
        {summary}. It needs <code>{scope}</code>. <a href={`/docs/${area}#${name}`}>Full API reference</a>
      </p>
      {fields.length > 0 && (
        <div class="wide" tabIndex={0} role="group" aria-label={`Fields of ${name}`}>
          <table>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Type</th>
                <th scope="col">Meaning</th>
              </tr>
            </thead>
            <tbody>
              {fields.map((field) => (
                <tr key={field.name}>
                  <th scope="row">
                    <code>{field.name}</code>
                    {field.required && <span class="needed">required</span>}
                  </th>
                  <td class="type">{field.type}</td>
                  <td>{field.description}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {scenarios.length > 0 && (
        <p>
          The header <code>Sandbox-Scenario</code> sets the outcome:{' '}
          <span class="soft">{scenarios.join(', ')}.</span>
        </p>
      )}
      {example !== undefined && (
        <>
          <CopyField text={example.curl} label={`curl, ${name}`} />
          <CopyField text={example.dray} label={`dray, ${name}`} />
        </>
      )}
    </>
  )
}

/** The last requests that the service answered. `seen` changes when something happened. */
function Log({ seen }: { seen: number }) {
  const [calls, setCalls] = useState<readonly RequestRow[]>([])
  useEffect(() => {
    control('list_requests', { limit: SHOWN }).then(
      ({ value }) => setCalls(value.data.toReversed()),
      () => {},
    )
  }, [seen])
  return (
    <div>
      <h3>Recent requests</h3>
      {calls.length === 0 ? (
        <p class="soft">Requests of your program and of the demos appear here.</p>
      ) : (
        <ol class="events calls">
          {calls.map(({ request_id, operation, account, status, code, duration_ms }) => (
            <li key={request_id}>
              <span class={status < 400 ? 'status' : 'status failed'}>{status}</span>
              <span>
                <strong>{operation}</strong>{' '}
                <span class="soft">
                  {account} {code} {Math.round(duration_ms)} ms
                </span>
              </span>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
