import { LabelBar } from '../label-bar.tsx'
import { Begun } from './begun.tsx'
import type { SentUpload } from './flow.ts'
import { DownloadLink, Faults, formOf, Rows } from './tables.tsx'
import { describeCounts, describeTotal, labelFiles, numbersOf } from './words.ts'

type Props = { sent: SentUpload; onClose: () => void; onAnother: () => void }

/** The parcels that were created, and the rows that were not. */
export function SentView({ sent, onClose, onAnother }: Props) {
  const { counts, total, rows, faults, results, errors, stopped } = sent
  return (
    <>
      <Begun>
        {describeCounts(sent, 'sent')}
        {describeTotal(total)}
      </Begun>
      {stopped !== null && (
        <p class="wrong">
          {stopped} {counts.not_sent === 1 ? '1 row was' : `${counts.not_sent} rows were`} not sent. Upload
          the same sheet again: what is created is not created twice.
        </p>
      )}
      <ul class="files">
        <li>
          <DownloadLink file={results}>Results as CSV</DownloadLink>
        </li>
        {errors !== null && (
          <li>
            <DownloadLink file={errors}>Refused rows {formOf(errors)}, to correct and upload</DownloadLink>
          </li>
        )}
      </ul>
      {labelFiles(numbersOf(rows)).map((each) => (
        <LabelBar key={each.name} {...each} />
      ))}
      {faults.length > 0 && (
        <section>
          <h3>{counts.rejected === 1 ? '1 row was rejected' : `${counts.rejected} rows were rejected`}</h3>
          <Faults faults={faults} />
        </section>
      )}
      <section>
        <h3>All rows</h3>
        <Rows rows={rows} columns={['reference', 'result', 'number', 'price', 'reason']} name="All rows" />
      </section>
      <div class="actions">
        <button type="button" onClick={onClose}>
          Close
        </button>
        <button type="button" class="quiet" onClick={onAnother}>
          Upload another file…
        </button>
      </div>
    </>
  )
}
