/** The menu of the wall: the size of its letters, its keys, the other pages, and the way out. */
import { Dialog } from '../core/dialog.tsx'
import { hasScope } from '../core/session.ts'
import type { Letters } from './layout.ts'

const LETTERS = [
  ['fit', 'As large as fits'],
  ['small', 'Small'],
  ['large', 'Large'],
] as const satisfies readonly (readonly [Letters, string])[]

const KEYS = [
  ['1 to 9', 'choose a ticket'],
  ['Enter', 'takes its next step'],
  ['a', 'accepts the new order that ends first'],
  ['.', 'opens its menu'],
  ['r', 'recalls the last tickets'],
  ['n, Page Down, Page Up', 'turn the page'],
  ['arrows', 'go to the next ticket'],
  ['Esc', 'ends the choice'],
] as const

type WallMenuProps = {
  letters: Letters
  onLetters: (letters: Letters) => void
  onRecall: () => void
  onItems: () => void
  onClose: () => void
}

export function WallMenu({ letters, onLetters, onRecall, onItems, onClose }: WallMenuProps) {
  return (
    <Dialog title="Menu" onClose={onClose}>
      <div class="choices">
        {hasScope('menu.manage') && (
          <button type="button" class="quiet" onClick={onItems}>
            Items on sale…
          </button>
        )}
        <button type="button" class="quiet" onClick={onRecall}>
          Recall…
        </button>
      </div>
      <fieldset class="letters">
        <legend>Letters</legend>
        {LETTERS.map(([value, text]) => (
          <label class="option" key={value}>
            <input
              type="radio"
              name="letters"
              checked={letters === value}
              onChange={() => onLetters(value)}
            />
            {text}
          </label>
        ))}
      </fieldset>
      <details class="changes">
        <summary>Keys</summary>
        <dl class="keys">
          {KEYS.map(([key, text]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </details>
      <Pages />
      <div class="actions">
        <button type="button" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  )
}

/** The links of the header, which the wall has no room for, and the form that ends the session. */
function Pages() {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.top nav a:not([aria-current])')]
  return (
    <form class="pages" method="post" action="/pages/sign-out">
      <a href="/pages">All pages</a>
      {links.map((link) => (
        <a key={link.href} href={link.href}>
          {link.textContent?.trim()}
        </a>
      ))}
      <button type="submit" class="quiet">
        Sign out
      </button>
    </form>
  )
}
