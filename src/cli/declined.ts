import { AppError } from '../core/errors.ts'

/** A person answered no. Ends the command with exit 3 as every `not_confirmed`, but is told as an answer and not as an error. */
export class Declined extends AppError {
  constructor(message: string, hint?: string) {
    super('not_confirmed', message, hint === undefined ? {} : { hint })
  }
}
