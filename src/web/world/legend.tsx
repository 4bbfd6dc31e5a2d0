import type { ComponentChildren } from 'preact'
import { shapeOf } from './draw.ts'
import { houseAt } from './marks.tsx'
import type { Person } from './people.ts'
import { CREW_WORDS, CREWS } from './words.ts'

const MIDDLE = { x: 10, y: 10 }

/** The legend of the map. */
export function Legend({ people }: { people: readonly Person[] }) {
  return (
    <ul class="legend">
      {CREWS.map((crew) => (
        <Entry
          key={crew}
          mark={<path class={`person ${crew}`} d={shapeOf(crew, MIDDLE, 6)} stroke-width="1.5" />}
        >
          {people.filter((person) => person.crew === crew).length} {CREW_WORDS[crew].many.toLowerCase()}
        </Entry>
      ))}
      <Entry mark={<path class="person idle" d={shapeOf('courier', MIDDLE, 3)} stroke-width="1.25" />}>
        small, or a number: waiting for work
      </Entry>
      <Entry kind="place" mark={<path d={houseAt(MIDDLE, 6)} stroke-width="1.5" />}>
        store
      </Entry>
      <Entry kind="place hub" mark={<path d={houseAt(MIDDLE, 6)} stroke-width="1.5" />}>
        depot
      </Entry>
      <Entry kind="station" mark={<rect x="5" y="8.5" width="10" height="3.5" />}>
        station
      </Entry>
    </ul>
  )
}

type EntryProps = { kind?: string; mark: ComponentChildren; children: ComponentChildren }

function Entry({ kind, mark, children }: EntryProps) {
  return (
    <li class={kind}>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        {mark}
      </svg>
      <span>{children}</span>
    </li>
  )
}
