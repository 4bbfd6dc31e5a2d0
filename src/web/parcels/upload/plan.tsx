import type { ComponentChildren } from 'preact'
import { formatGroupedMoney } from '../../../core/money.ts'
import { MAX_REFERENCE_PREFIX } from '../../../core/pages.ts'
import type { Download, ShownRow } from '../../../server/pages/upload/shown.ts'
import { LabelBar } from '../label-bar.tsx'
import { SERVICES } from '../parcel.ts'
import { Begun } from './begun.tsx'
import { Columns } from './columns.tsx'
import type { Flow, Hub, PlannedUpload, Wish } from './flow.ts'
import { Services } from './options.tsx'
import { DownloadLink, Faults, formOf, Rows } from './tables.tsx'
import { describeCounts, labelFiles, numbersOf } from './words.ts'

const NEW = ['reference', 'to', 'price'] as const

type Props = { flow: Flow; planned: PlannedUpload; leave: ComponentChildren }

/** The parcels that would be created, and the rows that would not, before anything is. */
export function PlanView({ flow, planned, leave }: Props) {
  const { wish, hubs, check, confirm } = flow
  const { columns, counts, levels, rows, faults, errors, question, results } = planned
  const created = rows.filter(({ result }) => result === 'created')
  const there = rows.filter(({ result }) => result === 'duplicate')
  return (
    <>
      <Begun>{describeCounts(planned, 'plan')}</Begun>
      {faults.length > 0 && (
        <section>
          <h3>
            {counts.rejected === 1 ? '1 row will not be sent' : `${counts.rejected} rows will not be sent`}
          </h3>
          <Faults faults={faults} />
          {errors !== null && (
            <p>
              <DownloadLink file={errors}>These rows {formOf(errors)}, to correct and upload</DownloadLink>
            </p>
          )}
        </section>
      )}
      <SkippedOrders flow={flow} planned={planned} />
      {there.length > 0 && (
        <section>
          <h3>
            {there.length === 1
              ? '1 row already exists, is a duplicate or was cancelled; it will be skipped'
              : `${there.length} rows already exist, are duplicates or were cancelled; they will be skipped`}
          </h3>
          <Rows rows={there} columns={['reference', 'number', 'price', 'reason']} name="Already exist" />
          {results !== null && <FinishedUpload rows={there} results={results} />}
        </section>
      )}
      {created.length > 0 && (
        <section>
          <h3>{created.length === 1 ? '1 new parcel' : `${created.length} new parcels`}</h3>
          <Levels levels={levels} />
          <Rows
            rows={created}
            columns={created.some(({ cancelled }) => cancelled !== null) ? [...NEW, 'reason'] : NEW}
            name="New parcels"
          />
        </section>
      )}
      <Choices wish={wish} hubs={hubs} cancelled={planned.cancelled} onChoose={check} />
      {columns !== null && <Columns flow={flow} planned={planned} columns={columns} />}
      <div class="actions">
        {created.length > 0 ? (
          <button type="button" onClick={() => confirm(planned)}>
            {question.replace('?', '')}
          </button>
        ) : (
          <p class="soft">No new parcels to create.</p>
        )}
        {leave}
      </div>
    </>
  )
}

/** Orders that should not be sent, by the reason. A tick sends them, and checks the sheet again. */
function SkippedOrders({ flow: { wish, check }, planned }: Pick<Props, 'flow' | 'planned'>) {
  const { skipped: groups, counts, rows, results } = planned
  if (groups.length === 0) return null
  return (
    <section>
      <h3>{counts.skipped === 1 ? '1 order is skipped' : `${counts.skipped} orders are skipped`}</h3>
      <p class="soft">Select the orders to send anyway.</p>
      {groups.map(({ reason, text, included }) => (
        <label key={reason} class="option">
          <input
            type="checkbox"
            checked={included}
            onChange={() =>
              check({
                ...wish,
                include: included
                  ? wish.include.filter((each) => each !== reason)
                  : [...wish.include, reason],
              })
            }
          />
          {text}
        </label>
      ))}
      {results !== null && rows.every(({ result }) => result === 'skipped') && (
        <p>
          <DownloadLink file={results}>Results as CSV</DownloadLink>
        </p>
      )}
    </section>
  )
}

/** The sheet was sent before, perhaps by a page that was closed since: its results and labels can be had again. */
function FinishedUpload({ rows, results }: { rows: readonly ShownRow[]; results: Download }) {
  return (
    <>
      <p>
        <DownloadLink file={results}>Results as CSV</DownloadLink>
      </p>
      {labelFiles(numbersOf(rows)).map((each) => (
        <LabelBar key={each.name} {...each} />
      ))}
    </>
  )
}

/** The sums by service, when there are several. */
function Levels({ levels }: Pick<PlannedUpload, 'levels'>) {
  if (levels.length < 2) return null
  return (
    <ul class="levels">
      {levels.map(({ level, parcels, total }) => (
        <li key={level}>
          {SERVICES[level as keyof typeof SERVICES]}: {parcels}, {formatGroupedMoney(total)}
        </li>
      ))}
    </ul>
  )
}

type ChoicesProps = {
  wish: Wish
  hubs: readonly Hub[]
  /** The number of rows skipped because their parcels were cancelled. */
  cancelled: number
  onChoose: (wish: Wish) => void
}

function HubChoice({ wish, hubs, onChoose }: Omit<ChoicesProps, 'cancelled'>) {
  return (
    <label>
      Default hub
      <select
        value={wish.hub ?? ''}
        onChange={(event) => onChoose({ ...wish, hub: event.currentTarget.value || undefined })}
      >
        <option value="">Nearest hub</option>
        {hubs.map(({ code, name }) => (
          <option key={code} value={code}>
            {code} {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The choices about all rows. Each change checks the file again. */
function Choices({ wish, hubs, cancelled, onChoose }: ChoicesProps) {
  return (
    <div class="choose">
      <label>
        Default service level
        <select
          value={wish.service}
          onChange={(event) =>
            onChoose({ ...wish, service: event.currentTarget.value as typeof wish.service })
          }
        >
          <Services />
        </select>
      </label>
      <label>
        Fallback service level
        <select
          value={wish.fallback ?? ''}
          onChange={(event) =>
            onChoose({ ...wish, fallback: (event.currentTarget.value as typeof wish.service) || undefined })
          }
        >
          <option value="">None: reject these rows</option>
          <Services />
        </select>
      </label>
      <label>
        Reference prefix
        <input
          type="text"
          maxLength={MAX_REFERENCE_PREFIX}
          value={wish.prefix}
          onChange={(event) => onChoose({ ...wish, prefix: event.currentTarget.value.trim() })}
        />
      </label>
      {hubs.length > 1 && <HubChoice wish={wish} hubs={hubs} onChoose={onChoose} />}
      <label class="option">
        <input
          type="checkbox"
          checked={wish.merge}
          onChange={(event) => onChoose({ ...wish, merge: event.currentTarget.checked })}
        />
        Merge adjacent rows with the same reference into one parcel
      </label>
      {(cancelled > 0 || wish.again) && (
        <label class="option">
          <input
            type="checkbox"
            checked={wish.again}
            onChange={(event) => onChoose({ ...wish, again: event.currentTarget.checked })}
          />
          Create cancelled parcels again
        </label>
      )}
    </div>
  )
}
