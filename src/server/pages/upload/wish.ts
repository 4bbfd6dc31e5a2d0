/** The choices of a page about its file. They come in a header, because the body is the file. */
import type { IncomingMessage } from 'node:http'
import { SERVICE_LEVEL_CODES, type ServiceLevelCode } from '../../../areas/carrier/rules/rates.ts'
import { AppError } from '../../../core/errors.ts'
import { readObject } from '../read-object.ts'
import type { GivenAnswer } from './questions.ts'

const HEADER = 'dray-upload'
const LONGEST_NAME = 200
const MOST_ANSWERS = 60

export type Wish = {
  /** The name of the file. */
  name: string
  answers: readonly GivenAnswer[]
  /** The service level of parcels that name none. */
  service: ServiceLevelCode
  /** Whether adjacent rows with the same reference are one parcel. */
  merge: boolean
  /** The plan that is confirmed; undefined for a file that is only to be checked. */
  plan: string | undefined
}

/** Throws `invalid_request`. */
export function readWish({ headers }: Pick<IncomingMessage, 'headers'>): Wish {
  const { name, answers = [], service = 'next_day', merge = false, plan } = readHeader(headers[HEADER])
  const level = SERVICE_LEVEL_CODES.find((code) => code === service)
  const isRight =
    typeof name === 'string' &&
    name !== '' &&
    Array.isArray(answers) &&
    answers.length <= MOST_ANSWERS &&
    answers.every((each) => typeof each === 'number' || typeof each === 'string') &&
    level !== undefined &&
    typeof merge === 'boolean' &&
    (plan === undefined || typeof plan === 'string')
  if (!isRight)
    throw new AppError(
      'invalid_request',
      'Dray-Upload must name the file, and may hold answers, service, merge and plan.',
    )
  return { name: baseName(name), answers: answers as GivenAnswer[], service: level, merge, plan }
}

function readHeader(header: string | string[] | undefined): Record<string, unknown> {
  try {
    return readObject(Buffer.from(decodeURIComponent(String(header ?? ''))))
  } catch (error) {
    throw new AppError('invalid_request', 'Dray-Upload must be a JSON object, percent-encoded.', {
      cause: error,
    })
  }
}

/** Some browsers name the folder, too. The name of the answering files is made of it. */
function baseName(path: string): string {
  return (path.split(/[/\\]/).at(-1) || 'manifest.csv').slice(-LONGEST_NAME)
}
