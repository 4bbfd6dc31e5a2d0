import { useEffect, useState } from 'preact/hooks'
import { CLAIM_DAYS, isUnclaimedLoss } from '../../areas/carrier/rules/claims.ts'
import { isParcelCancellable } from '../../areas/carrier/states.ts'
import { formatGroupedMoney } from '../../core/money.ts'
import { Dialog } from '../core/dialog.tsx'
import { hasScope } from '../core/session.ts'
import { type CancelReason, cancelParcel, loadDetail } from './load.ts'
import {
  type Detail,
  type LabelFile,
  labelsPath,
  serviceName,
  titleFromCode,
  formatDay,
  formatMoment,
  STATES,
} from './parcel.ts'

type Props = {
  number: string
  /** Counts the news of the page: with each one the parcel is asked for again. */
  news: number
  onClose: () => void
  onCancelled: (parcel: Detail) => void
}

/** A parcel: where it is and was, its labels, and its end before it is delivered. */
export function DetailDialog({ number, news, onClose, onCancelled }: Props) {
  const [parcel, setParcel] = useState<Detail>()
  const [now, setNow] = useState(0)
  const [problem, setProblem] = useState<string>()
  const [asking, setAsking] = useState(false)
  useEffect(() => {
    let over = false
    loadDetail(number).then(
      (found) => {
        if (over) return
        setParcel(found.parcel)
        setNow(found.now)
        setProblem(undefined)
      },
      (error: unknown) => over || setProblem(error instanceof Error ? error.message : String(error)),
    )
    return () => {
      over = true
    }
  }, [number, news])
  if (asking && parcel !== undefined)
    return (
      <CancelDialog
        parcel={parcel}
        onClose={() => setAsking(false)}
        onDone={(cancelled) => {
          setParcel(cancelled)
          setAsking(false)
          onCancelled(cancelled)
        }}
      />
    )
  return (
    <Dialog title={number} onClose={onClose}>
      {problem !== undefined && (
        <p class="wrong" role="alert">
          {problem}
        </p>
      )}
      {parcel === undefined && problem === undefined && <p role="status">Loading…</p>}
      {parcel !== undefined && <Facts parcel={parcel} />}
      {parcel !== undefined && <Claims parcel={parcel} now={now} />}
      {parcel !== undefined && <Labels parcel={parcel} />}
      {parcel !== undefined && <Timeline parcel={parcel} />}
      <div class="actions">
        <button type="button" onClick={onClose}>
          Close
        </button>
        {parcel !== undefined &&
          isParcelCancellable(parcel) &&
          parcel.status !== 'lost' &&
          hasScope('shipments.manage') && (
            <button type="button" class="quiet" onClick={() => setAsking(true)}>
              Cancel parcel…
            </button>
          )}
      </div>
    </Dialog>
  )
}

function Facts({ parcel }: { parcel: Detail }) {
  const { status, reference, recipient, price, estimated_delivery_date: day, delivered_at: at } = parcel
  const { line1, city, postal_code: code, country_code: country } = recipient.address
  const other = parcel.return_of?.tracking_number ?? parcel.return_number
  return (
    <dl class="facts">
      <dt>Status</dt>
      <dd>
        <State status={status} />
      </dd>
      <dt>{at === null ? 'Expected' : 'Delivered'}</dt>
      <dd>{at === null ? formatDay(day) : formatMoment(at)}</dd>
      <dt>Recipient</dt>
      <dd>
        <bdi>{recipient.contact.name}</bdi>
        <br />
        <bdi>{[line1, city, code, country].filter(Boolean).join(', ')}</bdi>
      </dd>
      <dt>Reference</dt>
      <dd>{reference === null ? 'none' : <bdi>{reference}</bdi>}</dd>
      {other !== undefined && (
        <>
          <dt>{parcel.return_of === undefined ? 'Return' : 'Return of'}</dt>
          <dd>
            <a href={`#${other}`}>{other}</a>
          </dd>
        </>
      )}
      <dt>Service level</dt>
      <dd>
        {serviceName(parcel)}, {formatGroupedMoney(price.total)}
      </dd>
    </dl>
  )
}

/** The claims for a parcel; for a lost one without a living claim, how to make one. */
function Claims({ parcel, now }: { parcel: Detail; now: number }) {
  const { claims = [], tracking_number: number } = parcel
  const isOpen = isUnclaimedLoss(parcel, now)
  if (claims.length === 0 && !isOpen) return null
  return (
    <section aria-labelledby="claims">
      <h3 id="claims">Claims</h3>
      {claims.map(({ claim_id, reason_code, value, status, rejection }) => (
        <p key={claim_id}>
          {titleFromCode(reason_code)}, {formatGroupedMoney(value)}: {status}.{' '}
          {rejection !== undefined && <span class="soft">{rejection.detail}</span>}
        </p>
      ))}
      {isOpen && (
        <p>
          The parcel is lost. Claim for it within {CLAIM_DAYS} days of its creation:{' '}
          <code>dray carrier claim {number} --reason lost</code>
        </p>
      )}
    </section>
  )
}

/** The state as a word with a colour of its own. */
export function State({ status }: Pick<Detail, 'status'>) {
  return <span class={`status ${status}`}>{STATES[status]}</span>
}

const FILES: readonly (LabelFile & { name: string })[] = [
  { name: 'PDF 4 × 6 in', format: 'pdf', size: '4x6' },
  { name: 'PDF A6', format: 'pdf', size: 'a6' },
  { name: 'PDF A4', format: 'pdf', size: 'a4' },
  { name: 'ZPL', format: 'zpl' },
  { name: 'PNG', format: 'png' },
]

function Labels({ parcel }: { parcel: Detail }) {
  return (
    <section aria-labelledby="labels">
      <h3 id="labels">Label</h3>
      {parcel.label.files === null ? (
        <p class="soft">A cancelled parcel has no label.</p>
      ) : (
        <ul class="files">
          {FILES.map(({ name, ...file }) => (
            <li key={name}>
              <a class="button quiet" target="_blank" rel="noopener" href={labelsPath([parcel], file)}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** The scans, the last one first. */
function Timeline({ parcel: { scan_history: scans } }: { parcel: Detail }) {
  return (
    <section aria-labelledby="timeline">
      <h3 id="timeline">Events</h3>
      <ol class="timeline" reversed>
        {scans.toReversed().map(({ event_id, code, occurred_at, location, reason }) => (
          <li key={event_id}>
            <strong>{titleFromCode(code)}</strong>
            <span class="soft">
              <time dateTime={occurred_at}>{formatMoment(occurred_at)}</time>, {location.name}
            </span>
            {reason !== null && <span>{reason.detail}</span>}
          </li>
        ))}
      </ol>
    </section>
  )
}

const REASONS: Readonly<Record<CancelReason, string>> = {
  order_cancelled: 'Order cancelled',
  address_wrong: 'Wrong address',
  duplicate: 'Duplicate',
  lost_stock: 'Contents lost',
  other: 'Other reason',
}

type ReasonsProps = { reason: CancelReason; onChange: (reason: CancelReason) => void }

export function Reasons({ reason, onChange }: ReasonsProps) {
  return (
    <fieldset>
      <legend>Why?</legend>
      {Object.entries(REASONS).map(([code, words]) => (
        <label class="option" key={code}>
          <input
            type="radio"
            name="reason"
            checked={code === reason}
            onChange={() => onChange(code as CancelReason)}
          />
          {words}
        </label>
      ))}
    </fieldset>
  )
}

type CancelProps = { parcel: Detail; onClose: () => void; onDone: (parcel: Detail) => void }

function CancelDialog({ parcel, onClose, onDone }: CancelProps) {
  const { tracking_number: number, recipient, status } = parcel
  const [reason, setReason] = useState<CancelReason>('order_cancelled')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const send = async (): Promise<void> => {
    if (busy) return
    setBusy(true)
    try {
      onDone(await cancelParcel(number, reason))
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
      setBusy(false)
    }
  }
  return (
    <Dialog title={`Cancel ${number}?`} onClose={onClose}>
      <p>
        This cannot be undone.{' '}
        {status === 'pre_transit'
          ? 'It will not be collected.'
          : 'The parcel is in transit; it will be stopped and returned to you.'}{' '}
        Its recipient is <bdi>{recipient.contact.name}</bdi>.
      </p>
      {problem !== undefined && (
        <p class="wrong" role="alert">
          {problem}
        </p>
      )}
      <Reasons reason={reason} onChange={setReason} />
      <div class="actions">
        <button type="button" class="grave" aria-disabled={busy} onClick={() => void send()}>
          Cancel {number}
        </button>
        <button type="button" class="quiet" onClick={onClose}>
          Keep parcel
        </button>
      </div>
    </Dialog>
  )
}
