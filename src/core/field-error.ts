/** The errors of one field, cell of a row, parameter or header. */
export type FieldErrorCode =
  | 'required'
  | 'unknown_member'
  | 'wrong_type'
  | 'out_of_range'
  | 'too_long'
  | 'too_many'
  | 'invalid_format'
  | 'hidden_characters'
  | 'invalid_enum'
  | 'mutually_exclusive'
  | 'not_in_menu'
  | 'min_selections'
  | 'max_selections'

/** One error: `pointer` (RFC 6901) into the body, `parameter` of query or path, or `header`. */
export type ProblemFieldError = {
  pointer?: string
  parameter?: string
  header?: string
  code: FieldErrorCode
  detail: string
}
