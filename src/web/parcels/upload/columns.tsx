import { useState } from 'preact/hooks'
import type { Flow, PlannedUpload } from './flow.ts'
import { saveMaps, readSavedMaps, withMap, withoutMap } from './maps.ts'
import { Meanings } from './meanings.tsx'
import { Options } from './options.tsx'
import { ScrollArea } from './tables.tsx'
import { describeColumns, setColumnAnswer } from './words.ts'

type UploadColumns = NonNullable<PlannedUpload['columns']>
type Props = { flow: Flow; planned: PlannedUpload; columns: UploadColumns }

/** The header of each column. Each change checks the sheet again. */
export function Columns({ flow, planned, columns }: Props) {
  const { wish, check, isOpen } = flow
  const take = (column: string, header: string): void =>
    check({ ...wish, answers: [], settled: setColumnAnswer(planned.settled, column, header) })
  return (
    <details
      class="columns"
      open={isOpen.current}
      onToggle={(event) => (isOpen.current = event.currentTarget.open)}
    >
      <summary>{describeColumns(columns)}</summary>
      <ScrollArea name="Columns">
        <table>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Header</th>
              <th scope="col">First value</th>
            </tr>
          </thead>
          <tbody>
            {columns.read.map((each) => (
              <tr key={each.column}>
                <td>{each.column}</td>
                <td>
                  <Source {...each} headers={columns.headers} onTake={take} />
                </td>
                <td>
                  <bdi>{each.sample}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      <Another columns={columns} onTake={take} />
      <Meanings flow={flow} planned={planned} columns={columns} />
      {columns.read.every(({ how }) => how !== 'preset') && <SaveMap flow={flow} columns={columns} />}
    </details>
  )
}

type SourceProps = UploadColumns['read'][number] & {
  headers: readonly string[]
  onTake: (column: string, header: string) => void
}

function Source({ column, header, how, headers, onTake }: SourceProps) {
  const isOne = headers.includes(header)
  return (
    <select
      aria-label={`Header of ${column}`}
      value={isOne ? header : ''}
      onChange={(event) => event.currentTarget.value !== '' && onTake(column, event.currentTarget.value)}
    >
      {!isOne && <option value="">{how === 'default' ? 'the same for every parcel' : header}</option>}
      <Options of={headers} />
    </select>
  )
}

/** A column that was not found by itself. */
function Another({
  columns: { free, headers },
  onTake,
}: {
  columns: UploadColumns
  onTake: SourceProps['onTake']
}) {
  const [column, setColumn] = useState('')
  if (free.length === 0) return null
  return (
    <div class="choose another">
      <label>
        Another column
        <select value={column} onChange={(event) => setColumn(event.currentTarget.value)}>
          <option value="">none</option>
          <Options of={free} />
        </select>
      </label>
      {column !== '' && (
        <label>
          Taken from
          <select value="" onChange={(event) => onTake(column, event.currentTarget.value)}>
            <option value="">choose a header</option>
            <Options of={headers} />
          </select>
        </label>
      )}
    </div>
  )
}

/** The choice to read the next sheet with these headers with these columns. An export of a shop is known without that. */
function SaveMap({
  flow: { file, wish, check },
  columns: { map, saved },
}: {
  flow: Flow
  columns: UploadColumns
}) {
  const [isKept, setKept] = useState(saved !== null)
  const keep = (): void => {
    saveMaps(withMap(readSavedMaps(), file.name, map))
    setKept(true)
  }
  const forget = (): void => {
    const name = saved ?? Object.keys(withMap({}, file.name, map))[0] ?? ''
    saveMaps(withoutMap(readSavedMaps(), name))
    setKept(false)
    if (saved !== null) check({ ...wish, maps: withoutMap(wish.maps, saved) })
  }
  return (
    <label class="option">
      <input
        type="checkbox"
        checked={isKept}
        onChange={(event) => (event.currentTarget.checked ? keep() : forget())}
      />
      Remember this mapping for files with these headers, in this browser
    </label>
  )
}
