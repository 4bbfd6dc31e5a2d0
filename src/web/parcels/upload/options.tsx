import { SERVICES } from '../parcel.ts'

/** Choices that stand for themselves. */
export function Options({ of }: { of: readonly string[] }) {
  return of.map((each) => (
    <option key={each} value={each}>
      {each}
    </option>
  ))
}

/** The services by their names. */
export function Services() {
  return Object.entries(SERVICES).map(([code, name]) => (
    <option key={code} value={code}>
      {name}
    </option>
  ))
}
