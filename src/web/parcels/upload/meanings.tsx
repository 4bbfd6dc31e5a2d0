import { useState } from 'preact/hooks'
import type { Flow, PlannedUpload } from './flow.ts'
import { Options, Services } from './options.tsx'
import { meaningsOf, setMeaningAnswer, type WordMeaning, wrongWord } from './words.ts'

type Props = { flow: Flow; planned: PlannedUpload; columns: NonNullable<PlannedUpload['columns']> }

/** The meanings of words of the file: `Y` for a service. Each change checks the sheet again. */
export function Meanings({ flow: { wish, check }, planned: { settled, faults }, columns: { read } }: Props) {
  const [column, setColumn] = useState('')
  const [word, setWord] = useState('')
  const say = (meaning: WordMeaning): void =>
    check({ ...wish, answers: [], settled: setMeaningAnswer(settled, meaning) })
  const choose = (chosen: string): void => {
    setColumn(chosen)
    setWord(wrongWord(faults, read, chosen))
  }
  return (
    <>
      {meaningsOf(settled).map((each) => (
        <p key={`${each.column}:${each.word}`}>
          In {each.column} “<bdi>{each.word}</bdi>” stands for <bdi>{each.meaning}</bdi>.{' '}
          <button type="button" class="quiet small" onClick={() => say({ ...each, meaning: '' })}>
            Remove
          </button>
        </p>
      ))}
      <div class="choose another">
        <label>
          Words in a column
          <select value={column} onChange={(event) => choose(event.currentTarget.value)}>
            <option value="">none</option>
            <Options of={read.filter(({ how }) => how !== 'default').map((each) => each.column)} />
          </select>
        </label>
        {column !== '' && (
          <>
            <label>
              Word in the file
              <input type="text" value={word} onInput={(event) => setWord(event.currentTarget.value)} />
            </label>
            <Meaning
              column={column}
              onSay={(meaning) => say({ column, word, meaning })}
              isOff={word.trim() === ''}
            />
          </>
        )}
      </div>
    </>
  )
}

type MeaningProps = { column: string; isOff: boolean; onSay: (meaning: string) => void }

function Meaning({ column, isOff, onSay }: MeaningProps) {
  const change = (event: { currentTarget: { value: string } }): void =>
    onSay(event.currentTarget.value.trim())
  return (
    <label>
      Stands for
      {column === 'service_level' ? (
        <select value="" disabled={isOff} onChange={change}>
          <option value="">choose a service</option>
          <Services />
        </select>
      ) : (
        <input type="text" disabled={isOff} onChange={change} />
      )}
    </label>
  )
}
