/** The schema of a position in the events of a store, apart from its form: what reads positions loads no library of schemas. */
import * as Type from 'typebox'
import { EVENT_POSITION_PATTERN, POSITION_FORM } from './event-position.ts'

/** Returns the schema of a position in a request. */
export function eventPosition(description: string): Type.TString {
  return Type.String({
    form: POSITION_FORM,
    pattern: EVENT_POSITION_PATTERN,
    errorMessage: 'must be a position of an earlier response, or 0',
    description,
  })
}
