/** The injected faults, as JSON: each call reads the world's row anyway, and most stores have none. */
export const faults: readonly string[] = ['alter table world add column faults {text}']
