import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { OperationOutput } from '../../client/operations.ts'
import { call } from '../core/call.ts'
import { type Filters, formatCount, STATES, type Status, toSpan } from './parcel.ts'

type Counts = OperationOutput<'count_shipments'>['data']

/** Counts the parcels of the chosen days, and again with the news. What was counted stays until then. */
export function useCounts({ from, to }: Filters, news: number): Counts | undefined {
  const [counts, setCounts] = useState<Counts>()
  const asked = useRef(0)
  useEffect(() => {
    const question = ++asked.current
    call('count_shipments', toSpan({ from, to })).then(
      ({ value }) => question === asked.current && setCounts(value.data),
      // The list tells of a service that is lost; it can be narrowed without numbers, too.
      () => question === asked.current && setCounts(undefined),
    )
  }, [from, to, news])
  return counts
}

type Props = { counts: Counts | undefined; filters: Filters; onChange: (filters: Filters) => void }

/** The states with their numbers of parcels; each narrows the list to it. */
export function StateBar({ counts, filters, onChange }: Props) {
  const shown = Object.entries(STATES).flatMap(([code, name]) => {
    const status = code as Status
    const counted = counts?.find((each) => each.status === status)
    // An empty state is no choice, unless it is the one that is looked at.
    if (counted?.count === 0 && filters.status !== status) return []
    return [{ status, name, counted }]
  })
  return (
    <div class="states" role="group" aria-label="Status">
      <Choice isOn={filters.status === ''} onChoose={() => onChange({ ...filters, status: '' })}>
        All states {counts !== undefined && <span class="count">{formatCount(sumOf(counts))}</span>}
      </Choice>
      {shown.map(({ status, name, counted }) => (
        <Choice
          key={status}
          isOn={filters.status === status}
          onChoose={() => onChange({ ...filters, status })}
        >
          {name} {counted !== undefined && <span class="count">{formatCount(counted)}</span>}
        </Choice>
      ))}
    </div>
  )
}

/**
 * Returns the number of parcels that can be chosen of a list: a cancelled one has no label. Undefined where it is not known.
 */
export function countMatching(counts: Counts | undefined, { status: only }: Filters): Count | undefined {
  const matching = counts?.filter(({ status }) => status !== 'cancelled' && (only === '' || status === only))
  return matching && sumOf(matching)
}

type Count = { count: number; more: boolean }

function sumOf(counts: Counts): Count {
  return {
    count: counts.reduce((sum, { count }) => sum + count, 0),
    more: counts.some(({ more }) => more),
  }
}

type ChoiceProps = { isOn: boolean; onChoose: () => void; children: ComponentChildren }

function Choice({ isOn, onChoose, children }: ChoiceProps) {
  return (
    <button type="button" class="quiet" aria-pressed={isOn} onClick={onChoose}>
      {children}
    </button>
  )
}
