/** Changes of all chosen parcels: one question with their number, then a result for each. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { isParcelCancellable, canRedirect } from '../../areas/carrier/states.ts'
import { formatGroupedMoney } from '../../core/money.ts'
import { change, ProblemError } from '../core/call.ts'
import { Dialog } from '../core/dialog.tsx'
import { Reasons } from './detail.tsx'
import { type CancelReason, cancelParcel } from './load.ts'
import type { Parcel } from './parcel.ts'

/** `failed` has the number and the error of each parcel that stays as it was. */
export type BulkResult = { words: string; done: readonly string[]; failed: readonly string[] }

type Props = { parcels: readonly Parcel[]; onClose: () => void; onEnd: (ended: BulkResult) => void }

export function CancelChosen({ parcels, onClose, onEnd }: Props) {
  const [reason, setReason] = useState<CancelReason>('order_cancelled')
  const waiting = parcels.filter(({ status }) => status === 'pre_transit')
  return (
    <Question
      verb="Cancel"
      done="cancelled"
      parcels={parcels.filter((parcel) => isParcelCancellable(parcel) && parcel.status !== 'lost')}
      chosen={parcels.length}
      send={async (number) => void (await cancelParcel(number, reason))}
      onClose={onClose}
      onEnd={onEnd}
    >
      <p>
        This cannot be undone. {waiting.length > 0 && `${sumOf(waiting)} will not be billed. `}Parcels that
        are collected are stopped, returned to you and billed. Lost parcels are not cancelled: claim for them.
      </p>
      <Reasons reason={reason} onChange={setReason} />
    </Question>
  )
}

const WAYS = {
  date: 'Other day',
  safe_place: 'Safe place',
  neighbour: 'Neighbour',
  hub_id: 'Hub for pickup, such as LON1',
} as const

type Way = keyof typeof WAYS

export function RedirectChosen({ parcels, onClose, onEnd }: Props) {
  const [way, setWay] = useState<Way>('date')
  const [value, setValue] = useState('')
  return (
    <Question
      verb="Redirect"
      done="redirected"
      parcels={parcels.filter(canRedirect)}
      chosen={parcels.length}
      isReady={value.trim() !== ''}
      send={async (tracking_number) =>
        void (await change('redirect_shipment', { tracking_number, [way]: value.trim() }))
      }
      onClose={onClose}
      onEnd={onEnd}
    >
      <p>The price stays.</p>
      <label class="option">
        Deliver to
        <select
          value={way}
          onChange={(event) => {
            setWay(event.currentTarget.value as Way)
            setValue('')
          }}
        >
          {Object.entries(WAYS).map(([code, words]) => (
            <option key={code} value={code}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label class="option">
        {WAYS[way]}
        {way === 'date' ? (
          <input type="date" value={value} onInput={(event) => setValue(event.currentTarget.value)} />
        ) : (
          <input
            type="text"
            maxLength={120}
            value={value}
            onInput={(event) => setValue(event.currentTarget.value)}
          />
        )}
      </label>
    </Question>
  )
}

type QuestionProps = {
  verb: 'Cancel' | 'Redirect'
  done: string
  /** Those of the chosen parcels that can be changed, and the number of all that are chosen. */
  parcels: readonly Parcel[]
  chosen: number
  isReady?: boolean
  send: (number: string) => Promise<void>
  onClose: () => void
  onEnd: (ended: BulkResult) => void
  children: ComponentChildren
}

function Question(props: QuestionProps) {
  const { verb, done, parcels, chosen, isReady = true, send, onClose, onEnd, children } = props
  const [sent, setSent] = useState<number>()
  const named = `${verb} ${pluralizeParcels(parcels.length)}`
  const start = async (): Promise<void> => {
    if (sent !== undefined || !isReady || parcels.length === 0) return
    const ended = await sendAll(parcels, send, setSent)
    const rest = ended.failed.length === 0 ? '' : ` Not ${done}: ${ended.failed.length}.`
    onEnd({ ...ended, words: `${pluralizeParcels(ended.done.length)} ${done}.${rest}` })
  }
  return (
    <Dialog title={`${named}?`} onClose={() => sent === undefined && onClose()}>
      {parcels.length < chosen && <p>{chosen - parcels.length} of the chosen parcels stay as they are.</p>}
      {children}
      {sent !== undefined && (
        <p role="status">
          {sent} of {parcels.length} …
        </p>
      )}
      <div class="actions">
        <button
          type="button"
          class={verb === 'Cancel' ? 'grave' : ''}
          aria-disabled={sent !== undefined || !isReady || parcels.length === 0}
          onClick={() => void start()}
        >
          {named}
        </button>
        <button type="button" class="quiet" aria-disabled={sent !== undefined} onClick={onClose}>
          Keep as they are
        </button>
      </div>
    </Dialog>
  )
}

/** Sends one after the other. An error stops none of the others; a lost service stops them all. */
async function sendAll(
  parcels: readonly Parcel[],
  send: (number: string) => Promise<void>,
  onSent: (count: number) => void,
): Promise<Omit<BulkResult, 'words'>> {
  const done: string[] = []
  const failed: string[] = []
  let stopped: string | undefined
  for (const { tracking_number: number } of parcels) {
    onSent(done.length + failed.length)
    try {
      if (stopped === undefined) {
        await send(number)
        done.push(number)
      } else failed.push(`${number}: ${stopped}`)
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error)
      failed.push(`${number}: ${words}`)
      if (!(error instanceof ProblemError)) stopped = 'Not sent.'
    }
  }
  return { done, failed }
}

function pluralizeParcels(count: number): string {
  return count === 1 ? '1 parcel' : `${count.toLocaleString('en-GB')} parcels`
}

/** The agreement has one currency. */
function sumOf(parcels: readonly Parcel[]): string {
  const amount = parcels.reduce((sum, { price }) => sum + price.total.amount, 0)
  return formatGroupedMoney({ amount, currency: parcels[0]?.price.total.currency ?? 'GBP' })
}
