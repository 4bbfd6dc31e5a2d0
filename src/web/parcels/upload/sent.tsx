import { LabelBar } from '../label-bar.tsx'
import { Begun } from './begun.tsx'
import type { Sent } from './flow.ts'
import { DownloadLink, Faults, Rows } from './tables.tsx'
import { describeCounts, describeTotal, labelsName, numbersOf } from './words.ts'

type Props = { sent: Sent; onClose: () => void; onAnother: () => void }

/** What was created, and what was not. */
export function SentView({ sent, onClose, onAnother }: Props) {
  const { counts, total, rows, faults, results, errors } = sent
  const numbers = numbersOf(rows)
  return (
    <>
      <Begun>
        {describeCounts(counts, 'sent')}
        {describeTotal(total)}
      </Begun>
      <ul class="files">
        <li>
          <DownloadLink file={results}>Results as CSV</DownloadLink>
        </li>
        {errors !== null && (
          <li>
            <DownloadLink file={errors}>Refused rows as CSV, to correct and upload</DownloadLink>
          </li>
        )}
      </ul>
      {numbers.length > 0 && <LabelBar numbers={numbers} name={labelsName(numbers)} />}
      {faults.length > 0 && (
        <section>
          <h3>{counts.rejected === 1 ? '1 row was refused' : `${counts.rejected} rows were refused`}</h3>
          <Faults faults={faults} />
        </section>
      )}
      <section>
        <h3>Each row</h3>
        <Rows rows={rows} columns={['reference', 'result', 'number', 'price', 'reason']} name="Each row" />
      </section>
      <div class="actions">
        <button type="button" onClick={onClose}>
          Close
        </button>
        <button type="button" class="quiet" onClick={onAnother}>
          Upload another file …
        </button>
      </div>
    </>
  )
}
