/** The texts of a person or a firm, as a label prints them. Pure. */
import type { ShipmentParty } from '../../../core/address.ts'
import { AppError, type ProblemFieldError } from '../../../core/errors.ts'
import { describePlaceholder, hasTags } from '../../../core/markup.ts'

/** Throws `invalid_request` for texts that the template of a program left unfilled, or filled with tags or JSON. */
export function assertPlainTexts(
  { contact, company, address }: ShipmentParty,
  member: 'recipient' | 'sender',
): void {
  const texts = {
    'contact/name': contact.name,
    company,
    'address/line1': address.line1,
    'address/line2': address.line2,
    'address/city': address.city,
  }
  const errors = Object.entries(texts).flatMap(([name, text = '']): ProblemFieldError[] => {
    const detail =
      describePlaceholder(text) ?? (hasTags(text) ? 'it has tags of HTML; write the text alone' : undefined)
    return detail === undefined ? [] : [{ pointer: `/${member}/${name}`, code: 'invalid_format', detail }]
  })
  const [first] = errors
  if (first !== undefined) throw new AppError('invalid_request', `${first.detail}.`, { errors })
}
