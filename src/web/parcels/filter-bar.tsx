import { useState } from 'preact/hooks'
import { type Filters, isNarrowed, NO_FILTERS } from './parcel.ts'

type Props = { filters: Filters; onChange: (filters: Filters) => void }

/** Search and days. The search is sent by Enter or its button; the rest at once. */
export function FilterBar({ filters, onChange }: Props) {
  const [search, setSearch] = useState(filters.search)
  return (
    <form
      class="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        onChange({ ...filters, search })
      }}
    >
      <label class="find">
        Name, postcode, reference or tracking number
        <span class="joined">
          <input
            type="search"
            value={search}
            maxLength={100}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
          <button type="submit">Find</button>
        </span>
      </label>
      <Day name="Created from" value={filters.from} onChange={(from) => onChange({ ...filters, from })} />
      <Day name="Created to" value={filters.to} onChange={(to) => onChange({ ...filters, to })} />
      {isNarrowed(filters) && (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            setSearch('')
            onChange(NO_FILTERS)
          }}
        >
          Show all
        </button>
      )}
    </form>
  )
}

function Day({ name, value, onChange }: { name: string; value: string; onChange: (day: string) => void }) {
  return (
    <label>
      {name}
      <input type="date" value={value} onChange={(event) => onChange(event.currentTarget.value)} />
    </label>
  )
}
