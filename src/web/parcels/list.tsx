import { may } from '../page/session.ts'
import { State } from './detail.tsx'
import { LabelBar } from './label-bar.tsx'
import type { ParcelPage } from './load.ts'
import { type Filters, isNarrowed, lateWords, type Parcel, serviceName, spellDay } from './parcel.ts'

type Props = {
  page: ParcelPage | undefined
  filters: Filters
  /** The number of the page, from 1. */
  number: number
  /** The tracking numbers of the parcels whose labels are wanted, also those of other pages. */
  chosen: ReadonlySet<string>
  onChoose: (chosen: ReadonlySet<string>) => void
  onOlder: (cursor: string) => void
  onNewer: () => void
}

/** A page of the list, newest first, and the way to the others. */
export function List({ page, filters, number, chosen, onChoose, onOlder, onNewer }: Props) {
  if (page === undefined)
    return (
      <p class="waiting" role="status">
        Loading …
      </p>
    )
  const { parcels, next, now } = page
  const choose = (numbers: readonly string[], isChosen: boolean): void => {
    const next = new Set(chosen)
    for (const each of numbers) {
      if (isChosen) next.add(each)
      else next.delete(each)
    }
    onChoose(next)
  }
  return (
    <>
      {parcels.length === 0 && <Nothing isOnly={number === 1 && next === null} filters={filters} />}
      {page.more === true && (
        <p class="soft" role="status">
          Others may fit, too. Add a word, such as the postcode.
        </p>
      )}
      <Choice parcels={parcels} chosen={chosen} onChoose={choose} />
      <ul class="rows" aria-label="Parcels">
        {parcels.map((parcel) => (
          <Row
            key={parcel.tracking_number}
            parcel={parcel}
            now={now}
            isChosen={chosen.has(parcel.tracking_number)}
            onChoose={choose}
          />
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

type Choose = (numbers: readonly string[], isChosen: boolean) => void

type ChoiceProps = { parcels: readonly Parcel[]; chosen: ReadonlySet<string>; onChoose: Choose }

/** The labels of the chosen parcels; of all that are shown while none is chosen. */
function Choice({ parcels, chosen, onChoose }: ChoiceProps) {
  const shown = parcels.flatMap(({ tracking_number, label }) => (label.files === null ? [] : tracking_number))
  const isSome = chosen.size > 0
  if (!isSome && shown.length === 0) return null
  const isAll = shown.length > 0 && shown.every((number) => chosen.has(number))
  return (
    <div class="choice-bar">
      {shown.length > 0 && (
        <label class="pick">
          <input
            type="checkbox"
            checked={isAll}
            onChange={(event) => onChoose(shown, event.currentTarget.checked)}
          />
          {isSome ? `${chosen.size} chosen` : 'Select all'}
        </label>
      )}
      <LabelBar numbers={isSome ? [...chosen] : shown} name={labelsName(chosen.size, shown.length)} />
      {isSome && (
        <button type="button" class="quiet" onClick={() => onChoose([...chosen], false)}>
          Select none
        </button>
      )}
    </div>
  )
}

function labelsName(chosen: number, shown: number): string {
  if (chosen > 0) return chosen === 1 ? 'Selected label' : `${chosen} selected labels`
  return shown === 1 ? 'Label' : `${shown} labels`
}

type RowProps = { parcel: Parcel; now: number; isChosen: boolean; onChoose: Choose }

function Row({ parcel, now, isChosen, onChoose }: RowProps) {
  const { tracking_number: number, reference, recipient, status, estimated_delivery_date: day } = parcel
  const late = lateWords(parcel, now)
  return (
    <li>
      <label class="pick">
        <span class="hidden">Choose {number}</span>
        <input
          type="checkbox"
          checked={isChosen}
          disabled={parcel.label.files === null}
          onChange={(event) => onChoose([number], event.currentTarget.checked)}
        />
      </label>
      <a href={`#${number}`}>{number}</a>
      <span class="soft">{reference === null ? 'no reference' : <bdi>{reference}</bdi>}</span>
      <span>
        <bdi>{recipient.contact.name}</bdi> <span class="soft">{recipient.address.postal_code}</span>
      </span>
      <State status={status} />
      <span class="soft">
        {serviceName(parcel)}, {spellDay(day)} {late !== '' && <b class="status late">{late}</b>}
      </span>
    </li>
  )
}

function Nothing({ isOnly, filters }: { isOnly: boolean; filters: Filters }) {
  if (!isOnly) return <p role="status">No parcel on this page fits; there may be more on the others.</p>
  if (isNarrowed(filters))
    return (
      <div class="nothing" role="status">
        <p>No parcels match.</p>
        <p>A search finds the beginnings of words, and at least 4 characters within a reference.</p>
      </div>
    )
  return (
    <div class="nothing" role="status">
      <p>No parcels yet.</p>
      <p>
        {may('shipments.create') ? 'Upload a spreadsheet here, or with ' : 'Upload a spreadsheet with '}
        <code>dray carrier upload FILE</code>; <code>dray carrier create</code> makes one. They appear here by
        themselves.
      </p>
    </div>
  )
}
