import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { formatGroupedMoney } from '../../../core/money.ts'
import type { Download, ShownFault, ShownRow } from '../../../server/pages/upload/shown.ts'
import { RESULTS } from './words.ts'

/** Rows shown at first. */
const FIRST = 10

/** The first rows of a list, and the rest once it is wanted. */
function useFirst<T>(all: readonly T[], what: string) {
  const [isWhole, setWhole] = useState(false)
  const rest = isWhole ? 0 : Math.max(0, all.length - FIRST)
  const more = rest > 0 && (
    <p>
      <button type="button" class="quiet small" onClick={() => setWhole(true)}>
        Show {rest} more {what}
      </button>
    </p>
  )
  return { shown: rest > 0 ? all.slice(0, FIRST) : all, more }
}

/** Each wrong cell, and what to do about it. */
export function Faults({ faults }: { faults: readonly ShownFault[] }) {
  const { shown, more } = useFirst(faults, 'faults')
  return (
    <>
      <ScrollArea name="Rows with errors">
        <table>
          <thead>
            <tr>
              <th scope="col">Row</th>
              <th scope="col">Reference</th>
              <th scope="col">Error</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ row, reference, column, value, text, suggestion }) => (
              <tr key={`${row} ${column} ${text}`}>
                <td>{row}</td>
                <td>
                  <bdi>{reference}</bdi>
                </td>
                <td class="reason">
                  <strong>
                    <bdi>{column}</bdi>
                  </strong>{' '}
                  {value === '' ? 'is empty' : <bdi>“{value}”</bdi>}: {text}
                  {suggestion !== null && ` Perhaps: ${suggestion}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {more}
    </>
  )
}

type ColumnName = 'reference' | 'to' | 'result' | 'number' | 'price' | 'reason'

const COLUMNS: Readonly<Record<ColumnName, { title: string; show: (row: ShownRow) => ComponentChildren }>> = {
  reference: { title: 'Reference', show: ({ reference }) => <bdi>{reference}</bdi> },
  to: { title: 'Recipient', show: ({ to }) => <bdi>{to}</bdi> },
  result: {
    title: 'Result',
    show: ({ result, cancelled }) => (
      <span class={`status ${result}`}>
        {result === 'duplicate' && cancelled !== null ? 'Skipped' : RESULTS[result]}
      </span>
    ),
  },
  number: { title: 'Tracking number', show: ({ tracking_number }) => tracking_number },
  price: { title: 'Price', show: ({ total }) => total && formatGroupedMoney(total) },
  reason: { title: 'Reason', show: ({ reason }) => reason },
}

type RowsProps = { rows: readonly ShownRow[]; columns: readonly ColumnName[]; name: string }

/** Parcels of the file, in its order. */
export function Rows({ rows, columns, name }: RowsProps) {
  const { shown, more } = useFirst(rows, 'rows')
  return (
    <>
      <ScrollArea name={name}>
        <table>
          <thead>
            <tr>
              <th scope="col">Row</th>
              {columns.map((column) => (
                <th scope="col" key={column}>
                  {COLUMNS[column].title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.row}>
                <td>{row.row}</td>
                {columns.map((column) => (
                  <td key={column} class={column}>
                    {COLUMNS[column].show(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {more}
    </>
  )
}

/** A table that is wider than a phone moves in its own frame, by keys, too. */
export function ScrollArea({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="scrolled" role="region" aria-label={name} tabIndex={0}>
      {children}
    </div>
  )
}

function blobOf(file: Download): Blob {
  if ('text' in file) return new Blob([file.text], { type: 'text/csv' })
  const bytes = Uint8Array.from(atob(file.base64), (unit) => unit.charCodeAt(0))
  return new Blob([bytes], { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' })
}

/** Names the form of a file in a sentence. */
export function formOf(file: Download): string {
  return 'text' in file ? 'as CSV' : 'as a workbook'
}

/** Saves a file that the page has. */
export function DownloadLink({ file, children }: { file: Download; children: ComponentChildren }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(blobOf(file))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return (
    <a class="button quiet" {...(address !== undefined && { href: address })} download={file.name}>
      {children}
    </a>
  )
}
