import { shapeOf } from './draw.ts'
import { houseAt } from './marks.tsx'
import type { Person } from './people.ts'
import { CREW_WORDS, CREWS } from './words.ts'

/** The legend of the map. */
export function Legend({ people }: { people: readonly Person[] }) {
  return (
    <ul class="legend">
      {CREWS.map((crew) => (
        <li key={crew}>
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path class={`person ${crew}`} d={shapeOf(crew, { x: 10, y: 10 }, 6)} stroke-width="1.5" />
          </svg>
          <span>
            {people.filter((person) => person.crew === crew).length} {CREW_WORDS[crew].many.toLowerCase()}
          </span>
        </li>
      ))}
      <li>
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path class="person idle" d={shapeOf('courier', { x: 10, y: 10 }, 3)} stroke-width="1.25" />
        </svg>
        <span>small, or a number: wait for work</span>
      </li>
      <li class="place">
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d={houseAt({ x: 10, y: 10 }, 6)} stroke-width="1.5" />
        </svg>
        <span>store</span>
      </li>
      <li class="place hub">
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d={houseAt({ x: 10, y: 10 }, 6)} stroke-width="1.5" />
        </svg>
        <span>depot</span>
      </li>
      <li class="station">
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <rect x="5" y="8.5" width="10" height="3.5" />
        </svg>
        <span>station</span>
      </li>
    </ul>
  )
}
