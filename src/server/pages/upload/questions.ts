/** The questions about a file, answered by a page: it sends its file again with every answer that it has. */
import type { ImportNote } from '../../../tabular/columns/outcomes.ts'
import type { FilePrompts, ImportPrompts } from '../../../tabular/import/prompts.ts'
import type { SettledAnswer, UploadOptions } from './upload-options.ts'

/** A question that the page did not answer yet, or not rightly. */
export class UnansweredQuestionError extends Error {
  readonly question: {
    /** Its position among the questions about the file, from 0. */
    number: number
    message: string
    /** Null for a question that is answered by a text. */
    choices: string[] | null
    problem: string | null
  }

  constructor(question: UnansweredQuestionError['question']) {
    super(question.message)
    this.question = question
  }
}

/**
 * Returns the reader of a page's file, and what it will have said and been answered. Each answer goes to the question in
 * its place.
 */
export function readerWith({ answers, maps }: Pick<UploadOptions, 'answers' | 'maps'>): {
  reader: ImportPrompts
  notes: ImportNote[]
  answered: SettledAnswer[]
} {
  const notes: ImportNote[] = []
  const answered: SettledAnswer[] = []
  let asked = 0
  const ask: FilePrompts = {
    async select({ message, choices }) {
      const number = asked++
      const given = answers[number]
      const chosen = typeof given === 'number' ? choices[given] : undefined
      if (chosen !== undefined) return chosen.value
      throw new UnansweredQuestionError({
        number,
        message,
        choices: choices.map(({ name }) => name),
        problem: null,
      })
    },
    async input({ message, validate }) {
      const number = asked++
      const given = answers[number]
      const problem = typeof given === 'string' ? validate(given) : undefined
      if (typeof given === 'string' && problem === undefined) return given
      throw new UnansweredQuestionError({ number, message, choices: null, problem: problem ?? null })
    },
  }
  const reader: ImportPrompts = {
    maps,
    defaultParcel: {},
    // A page has no flags, so the words about them are omitted.
    say: async ({ kind, text }) => void notes.push({ kind, text }),
    ask: async () => ask,
    choosesWords: true,
    // The questions about a file name no other flags.
    answered: { push: (flag) => answered.push(flag as SettledAnswer) },
  }
  return { reader, notes, answered }
}
