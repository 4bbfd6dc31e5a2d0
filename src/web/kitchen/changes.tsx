/** The latest changes of the menu: the item, the time, the author, the values before and after. */
import { useState } from 'preact/hooks'
import { call } from '../core/call.ts'
import { changeWords, type MenuChange } from './change-words.ts'
import { wordsOf } from './menu.ts'
import { dayAndTime } from './order.ts'

const SHOWN = 20

/** A list that is read when the user opens it. */
export function LatestChanges({ store }: { store: string | undefined }) {
  const [changes, setChanges] = useState<readonly MenuChange[]>()
  const [problem, setProblem] = useState<string>()
  const read = (event: Event): void => {
    if (!(event.currentTarget as HTMLDetailsElement).open) return
    call('list_catalog_changes', { limit: SHOWN, ...(store !== undefined && { merchant_id: store }) }).then(
      ({ value }) => setChanges(value.data),
      (error: unknown) => setProblem(wordsOf(error)),
    )
  }
  return (
    <details class="changes" onToggle={read}>
      <summary>Latest changes</summary>
      {problem !== undefined && <p class="wrong">{problem}</p>}
      {changes?.length === 0 && <p>No recorded changes.</p>}
      <ul>
        {changes?.map((each) => (
          <li key={`${each.item_id} ${each.version}`}>
            {each.name}: {changeWords(each)}{' '}
            <span class="soft">
              {dayAndTime(each.changed_at)}
              {each.changed_by === null ? '' : `, ${each.changed_by}`}
              {each.import_id === null ? '' : ', import'}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
