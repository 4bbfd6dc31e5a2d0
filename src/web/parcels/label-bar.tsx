import { useState } from 'preact/hooks'
import { type LabelFile, labelsPath } from './parcel.ts'

/** The places where a sheet of four that is already begun goes on. */
const PLACES = ['top left', 'top right', 'bottom left', 'bottom right'] as const

type Props = { numbers: readonly string[]; name: string }

/** The labels of parcels as one file: each on its own page, or four to a sheet of A4. */
export function LabelBar({ numbers, name }: Props) {
  const [start, setStart] = useState(1)
  const href = (file: LabelFile): string =>
    labelsPath(
      numbers.map((tracking_number) => ({ tracking_number })),
      file,
    )
  return (
    <div class="labels" role="group" aria-label={name}>
      <span class="name">{name}:</span>
      <a class="button quiet" target="_blank" rel="noopener" href={href({ format: 'pdf', size: '4x6' })}>
        PDF 4 × 6 in
      </a>
      <a
        class="button quiet"
        target="_blank"
        rel="noopener"
        href={href({ format: 'pdf', size: 'a4', start })}
      >
        PDF A4, four each
      </a>
      <label>
        First free label on the sheet
        <select value={start} onChange={(event) => setStart(Number(event.currentTarget.value))}>
          {PLACES.map((place, at) => (
            <option key={place} value={at + 1}>
              {at + 1} {place}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}
