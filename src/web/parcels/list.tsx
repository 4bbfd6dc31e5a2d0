import { hasScope } from '../core/session.ts'
import { State } from './detail.tsx'
import { LabelBar } from './label-bar.tsx'
import type { ParcelPage } from './load.ts'
import {
  type ParcelSelection,
  type Filters,
  isNarrowed,
  lateWords,
  type Parcel,
  serviceName,
  formatDay,
} from './parcel.ts'
import { labelFiles } from './upload/words.ts'

/** A change of all chosen parcels. */
export type ParcelChange = 'cancel' | 'redirect'

type Props = {
  page: ParcelPage | undefined
  filters: Filters
  /** The number of the page, from 1. */
  number: number
  chosen: ParcelSelection
  onChoose: (chosen: ParcelSelection) => void
  /** Chooses all parcels of the list; undefined where this page has them all. */
  onAll: (() => void) | undefined
  /** Words for the number of all parcels that it chooses, such as `1,147`; undefined while it is not known. */
  matching: string | undefined
  /** Asks before all chosen parcels are changed. */
  onChange: (deed: ParcelChange) => void
  onOlder: (cursor: string) => void
  onNewer: () => void
}

/** A page of the list, newest first, and the way to the others. */
export function List(props: Props) {
  const { page, filters, number, chosen, onChoose, onAll, matching, onChange, onOlder, onNewer } = props
  if (page === undefined)
    return (
      <p class="waiting" role="status">
        Loading …
      </p>
    )
  const { parcels, next, now } = page
  const choose = (some: readonly Parcel[], isChosen: boolean): void => {
    const next = new Map(chosen)
    for (const each of some) {
      if (isChosen) next.set(each.tracking_number, each)
      else next.delete(each.tracking_number)
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
      <Choice {...{ parcels, chosen, onAll, matching, onChange }} onChoose={choose} />
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

type Choose = (parcels: readonly Parcel[], isChosen: boolean) => void

type ChoiceProps = Pick<Props, 'chosen' | 'onAll' | 'matching' | 'onChange'> & {
  parcels: readonly Parcel[]
  onChoose: Choose
}

/** The labels of the chosen parcels; of all that are shown while none is chosen. */
function Choice({ parcels, chosen, onChoose, onAll, matching, onChange }: ChoiceProps) {
  const shown = parcels.filter(({ label }) => label.files !== null)
  const isSome = chosen.size > 0
  const numbers = isSome ? [...chosen.keys()] : shown.map(({ tracking_number }) => tracking_number)
  if (!isSome && shown.length === 0) return null
  const isAll = shown.length > 0 && shown.every(({ tracking_number }) => chosen.has(tracking_number))
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
      {onAll !== undefined && (
        <button type="button" class="quiet" onClick={onAll}>
          {matching === undefined ? 'Select all that match' : `Select all ${matching} that match`}
        </button>
      )}
      {isSome && (
        <button type="button" class="quiet" onClick={() => onChoose([...chosen.values()], false)}>
          Select none
        </button>
      )}
      {isSome && hasScope('shipments.manage') && (
        <>
          <button type="button" class="quiet" onClick={() => onChange('redirect')}>
            Redirect selected…
          </button>
          <button type="button" class="quiet" onClick={() => onChange('cancel')}>
            Cancel selected…
          </button>
        </>
      )}
      {labelFiles(numbers, labelsName(chosen.size, shown.length)).map((file) => (
        <LabelBar key={file.name} {...file} />
      ))}
    </div>
  )
}

function labelsName(chosen: number, shown: number): string {
  if (chosen > 0) return chosen === 1 ? 'Selected label' : `${chosen} selected labels`
  return shown === 1 ? 'Label' : `${shown} labels`
}

type RowProps = { parcel: Parcel; now: number; isChosen: boolean; onChoose: Choose }

function Row({ parcel, now, isChosen, onChoose }: RowProps) {
  const { tracking_number: number, recipient, status, estimated_delivery_date: day } = parcel
  const late = lateWords(parcel, now)
  return (
    <li>
      <label class="pick">
        <span class="hidden">Choose {number}</span>
        <input
          type="checkbox"
          checked={isChosen}
          disabled={parcel.label.files === null}
          onChange={(event) => onChoose([parcel], event.currentTarget.checked)}
        />
      </label>
      <a href={`#${number}`}>{number}</a>
      <span class="soft">{nameOf(parcel)}</span>
      <span>
        <bdi>{recipient.contact.name}</bdi> <span class="soft">{recipient.address.postal_code}</span>
      </span>
      <State status={status} />
      <span class="soft">
        {serviceName(parcel)}, {formatDay(day)} {late !== '' && <b class="status late">{late}</b>}
      </span>
    </li>
  )
}

function nameOf({ reference, return_of }: Parcel) {
  if (return_of !== undefined)
    return (
      <>
        Return of <bdi>{return_of.reference ?? return_of.tracking_number}</bdi>
      </>
    )
  return reference === null ? 'no reference' : <bdi>{reference}</bdi>
}

function Nothing({ isOnly, filters }: { isOnly: boolean; filters: Filters }) {
  if (!isOnly) return <p role="status">No parcel on this page fits; there may be more on the others.</p>
  if (isNarrowed(filters))
    return (
      <div class="nothing" role="status">
        <p>No parcels match.</p>
        <p>
          A search finds the beginnings of words of names, addresses and references, and at least 4 characters
          within a reference.
        </p>
      </div>
    )
  return (
    <div class="nothing" role="status">
      <p>No parcels yet.</p>
      <p>
        {hasScope('shipments.create') ? 'Upload a spreadsheet here, or with ' : 'Upload a spreadsheet with '}
        <code>dray carrier upload FILE</code>; <code>dray carrier create</code> makes one. They appear here by
        themselves.
      </p>
    </div>
  )
}
