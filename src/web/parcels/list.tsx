import { State } from './detail.tsx'
import type { ParcelPage } from './load.ts'
import { type Filters, isNarrowed, labelsPath, type Parcel, serviceName, spellDay } from './parcel.ts'

type Props = {
  page: ParcelPage | undefined
  filters: Filters
  /** The number of the page, from 1. */
  number: number
  onOlder: (cursor: string) => void
  onNewer: () => void
}

/** A page of the list, newest first, and the way to the others. */
export function List({ page, filters, number, onOlder, onNewer }: Props) {
  if (page === undefined)
    return (
      <p class="waiting" role="status">
        Loading …
      </p>
    )
  const { parcels, next } = page
  const labelled = parcels.filter(({ label }) => label.files !== null)
  return (
    <>
      {parcels.length === 0 && <Nothing isOnly={number === 1 && next === null} filters={filters} />}
      {labelled.length > 0 && (
        <p class="all">
          <a
            class="button quiet"
            target="_blank"
            rel="noopener"
            href={labelsPath(labelled, { format: 'pdf', size: '4x6' })}
          >
            {labelled.length === 1 ? 'The label as PDF' : `These ${labelled.length} labels as one PDF`}
          </a>
        </p>
      )}
      <ul class="rows" aria-label="Parcels">
        {parcels.map((parcel) => (
          <Row key={parcel.tracking_number} parcel={parcel} />
        ))}
      </ul>
      {(number > 1 || next !== null) && (
        <nav class="turn" aria-label="Pages of the list">
          {number > 1 && (
            <button type="button" class="quiet" onClick={onNewer}>
              Newer
            </button>
          )}
          <span class="soft">Page {number}</span>
          {next !== null && (
            <button type="button" class="quiet" onClick={() => onOlder(next)}>
              Older
            </button>
          )}
        </nav>
      )}
    </>
  )
}

function Row({ parcel }: { parcel: Parcel }) {
  const { tracking_number: number, reference, recipient, status, estimated_delivery_date: day } = parcel
  return (
    <li>
      <a href={`#${number}`}>{number}</a>
      <span class="soft">{reference === null ? 'no reference' : <bdi>{reference}</bdi>}</span>
      <span>
        <bdi>{recipient.contact.name}</bdi> <span class="soft">{recipient.address.postal_code}</span>
      </span>
      <State status={status} />
      <span class="soft">
        {serviceName(parcel)}, {spellDay(day)}
      </span>
    </li>
  )
}

function Nothing({ isOnly, filters }: { isOnly: boolean; filters: Filters }) {
  if (!isOnly) return <p role="status">No parcel on this page fits; there may be more on the others.</p>
  if (isNarrowed(filters))
    return (
      <div class="nothing" role="status">
        <p>No parcel fits.</p>
        <p>A reference must be whole, as it was given. A number is found in any state.</p>
      </div>
    )
  return (
    <div class="nothing" role="status">
      <p>No parcels yet.</p>
      <p>
        <code>dray carrier upload FILE</code> makes them from a spreadsheet, <code>dray carrier create</code>{' '}
        makes one. They appear here by themselves.
      </p>
    </div>
  )
}
