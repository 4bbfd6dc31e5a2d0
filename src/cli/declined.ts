import { AppError } from '../core/errors.ts'

/**
 * Thrown when a person answers no. The command ends with exit 3 like any `not_confirmed`, but without an error
 * message.
 */
export class ConfirmationDeclined extends AppError {
  constructor(message: string, hint?: string) {
    super('not_confirmed', message, hint === undefined ? {} : { hint })
  }
}
