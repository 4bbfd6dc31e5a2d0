/** The results of the rows of a manifest: each names its row, and why it was rejected. */
import * as Type from 'typebox'
import { type AppError, ERRORS, type ProblemFieldError } from '../../core/errors.ts'
import { strictObject, objectField, describeField, money, nullable, rowErrors } from '../../core/schema.ts'
import { warnings } from './schema.ts'

const ROW_REASONS = [
  'invalid_row',
  'missing_reference',
  'reference_conflict',
  'duplicate_in_manifest',
  'already_exists',
  'cancelled_before',
  'destination_not_covered',
  'service_level_not_available',
  'parcel_limits_exceeded',
  'amount_too_large',
  'options_conflict',
  'hub_not_found',
  'address_unresolvable',
] as const

export type RowReason = (typeof ROW_REASONS)[number]

export const rowResult = strictObject({
  row: Type.Integer({ minimum: 1, description: 'Row number, from 1 in the order sent' }),
  reference: nullable('Your own reference', Type.String()),
  result: Type.Enum(['created', 'duplicate', 'rejected'] as const, { meaning: 'Row result' }),
  tracking_number: Type.Optional(Type.String({ meaning: 'Tracking number' })),
  total: Type.Optional(describeField('Price of the parcel, new or existing', money)),
  warnings,
  cancelled_tracking_number: Type.Optional(
    Type.String({
      description: 'Tracking number of the cancelled parcel with this reference; with on_cancelled skip',
    }),
  ),
  reason: Type.Optional(
    objectField('Reason for the rejection', {
      code: Type.Enum(ROW_REASONS, { meaning: 'Reason code' }),
      detail: Type.String({ meaning: 'Description' }),
      errors: rowErrors,
      duplicate_of_row: Type.Optional(Type.Integer({ meaning: 'Number of the row that this row repeats' })),
      existing_tracking_number: Type.Optional(
        Type.String({ meaning: 'Tracking number of the parcel with this reference' }),
      ),
      hint: Type.Optional(Type.String({ description: 'Help, where this row has one of its own' })),
      reason_code: Type.Optional(Type.String({ description: 'Reason code of check_coverage' })),
      alternatives: Type.Optional(Type.Array(Type.String(), { description: 'Available service levels' })),
    }),
  ),
})

export type ManifestRowResult = Type.Static<typeof rowResult>

/** In a manifest a reference is required, by which a row is found again. */
export const NO_REFERENCE: ProblemFieldError = {
  pointer: '/reference',
  code: 'required',
  detail: 'reference is required in a manifest',
}

export function invalid(row: number, reference: unknown, errors: ProblemFieldError[]): ManifestRowResult {
  if (errors.length === 1 && errors[0] === NO_REFERENCE)
    return toRejectedRow({ row }, { code: 'missing_reference', detail: NO_REFERENCE.detail, errors })
  const detail = `${errors.length === 1 ? 'A field does' : `${errors.length} fields do`} not fit.`
  const named = typeof reference === 'string' ? reference : undefined
  return toRejectedRow({ row, reference: named }, { code: 'invalid_row', detail, errors })
}

/** An error of `create_shipment` as a row's reason; those that only say a field is wrong are an invalid row. */
export function toReason({ code }: AppError): RowReason {
  return ROW_REASONS.find((reason) => reason === code) ?? 'invalid_row'
}

/** Returns the hint of an error, where it is not that of every error with its code. */
export function hintOf({ code, hint }: AppError): { hint?: string } {
  return hint === undefined || hint === ERRORS[code].hint ? {} : { hint }
}

type Rejection = Omit<NonNullable<ManifestRowResult['reason']>, 'errors'> & {
  errors?: readonly ProblemFieldError[]
}

export function toRejectedRow(
  { row, reference }: { row: number; reference?: string | undefined },
  { code, detail, errors = [], ...more }: Rejection,
): ManifestRowResult {
  const places = errors.map(({ pointer = '', code, detail }) => ({ pointer, code, detail }))
  return {
    row,
    reference: reference ?? null,
    result: 'rejected',
    reason: { code, detail, ...(places.length > 0 && { errors: places }), ...more },
  }
}

/** The further fields of an error that say what to do about it. */
export function toReasonDetails({
  extra,
}: AppError): Pick<NonNullable<ManifestRowResult['reason']>, 'reason_code' | 'alternatives'> {
  const { reason_code, alternatives } = extra
  return {
    ...(typeof reason_code === 'string' && { reason_code }),
    ...(Array.isArray(alternatives) && { alternatives: alternatives as string[] }),
  }
}
