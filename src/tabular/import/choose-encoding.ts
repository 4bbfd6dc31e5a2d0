/** Chooses the encoding of a text: the one that was found, or the one that a person sees to be right. */
import { AppError } from '../../core/errors.ts'
import type { DecodedText } from '../csv/decode.ts'
import type { Guess } from '../csv/guess-encoding.ts'
import type { ImportPrompts } from './prompts.ts'

/** Returns a text without doubt about its encoding. Throws `usage` where there is doubt and no reply. */
export async function chooseEncoding(reader: ImportPrompts, content: DecodedText): Promise<DecodedText> {
  const { doubt, ...decoded } = content
  if (doubt === undefined) return decoded
  const ask = await reader.ask()
  if (ask === undefined)
    throw new AppError(
      'usage',
      `It is not clear in which encoding the file is: ${doubt.map(nameOf).join(', ')}.`,
      {
        hint: `Save it as CSV (UTF-8), or set the encoding, such as --encoding ${doubt[0]?.encoding}.`,
        extra: { reason: { code: 'encoding_unclear', encodings: doubt.map(({ encoding }) => encoding) } },
      },
    )
  const chosen = await ask.select({
    message: 'The file is not UTF-8. Which of these are its letters?',
    choices: doubt.map((guess) => ({ value: guess, name: nameOf(guess) })),
  })
  reader.answered.push({ flag: '--encoding', value: chosen.encoding })
  return { ...chosen, bom: false }
}

function nameOf({ letters, encoding }: Guess): string {
  return `${letters.join(' ')} (${encoding})`
}
