/** The item in the place of one that is missing, with its options. */
import type { Modifier, ModifierGroup } from '../../areas/catalog/rules/modifiers.ts'
import { hasScope } from '../core/session.ts'
import type { CatalogItem } from './items.ts'
import type { Order } from './order.ts'
import type { Swap } from './plan.ts'

/** The wish of the customer if something is missing. */
const WISHES: Readonly<Record<Order['substitutions'], string>> = {
  refund: 'The customer wants the money back for a missing item, and no replacement.',
  ask: 'The customer wants to be asked before an item is replaced.',
  replace: 'The customer takes a replacement.',
  cancel_order: 'The customer wants the whole order or nothing of it.',
}

type SwapProps = {
  order: Order
  /** Undefined until they are known. */
  items: readonly CatalogItem[] | undefined
  swap: Swap | undefined
  onChange: (swap: Swap | undefined) => void
}

/** Asks what comes in the place of a missing item, where the customer takes anything else. */
export function SwapFields({ order: { substitutions }, items, swap, onChange }: SwapProps) {
  const takesOther = substitutions === 'ask' || substitutions === 'replace'
  const item = items?.find(({ item_id }) => item_id === swap?.itemId)
  const choose = (itemId: string): void => {
    const groups = items?.find(({ item_id }) => item_id === itemId)?.modifier_groups ?? []
    onChange({ itemId, chosen: new Map(groups.map((group) => [group.modifier_group_id, usualOf(group)])) })
  }
  return (
    <fieldset>
      <legend>In its place</legend>
      <p class="soft">{WISHES[substitutions]}</p>
      {takesOther && hasScope('menu.read') && (
        <>
          <label class="option">
            <input
              type="radio"
              name="place"
              checked={swap === undefined}
              onChange={() => onChange(undefined)}
            />
            Nothing, take it off
          </label>
          <label class="option">
            <input type="radio" name="place" checked={swap !== undefined} onChange={() => choose('')} />
            Another item
          </label>
        </>
      )}
      {swap !== undefined && <ItemField items={items} itemId={swap.itemId} onChoose={choose} />}
      {swap !== undefined &&
        item?.modifier_groups.map((group) => (
          <GroupField
            key={group.modifier_group_id}
            group={group}
            chosen={swap.chosen.get(group.modifier_group_id) ?? []}
            onChoose={(ids) =>
              onChange({ ...swap, chosen: new Map([...swap.chosen, [group.modifier_group_id, ids]]) })
            }
          />
        ))}
    </fieldset>
  )
}

/** Returns the options that are chosen by default. */
function usualOf({ modifiers }: ModifierGroup): string[] {
  return modifiers.flatMap(({ is_default, available, modifier_id }) =>
    is_default && available ? modifier_id : [],
  )
}

type ItemProps = {
  items: readonly CatalogItem[] | undefined
  itemId: string
  onChoose: (itemId: string) => void
}

/** All items that are on sale now, by category. */
function ItemField({ items, itemId, onChoose }: ItemProps) {
  const groups = Map.groupBy(
    (items ?? []).filter(({ effective_available }) => effective_available),
    ({ category }) => category.name,
  )
  return (
    <label class="field">
      Item in its place
      <select value={itemId} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="">{items === undefined ? 'Loading…' : 'Choose…'}</option>
        {[...groups].map(([category, some]) => (
          <optgroup key={category} label={category}>
            {some.map(({ item_id, name }) => (
              <option key={item_id} value={item_id}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  )
}

type GroupProps = { group: ModifierGroup; chosen: readonly string[]; onChoose: (ids: string[]) => void }

/** The options of a group: a list for one of them, ticks for several. */
function GroupField({ group, chosen, onChoose }: GroupProps) {
  const { name, modifiers, min_selections: least, max_selections: most } = group
  const available = modifiers.filter((each) => each.available)
  if (most === 1)
    return (
      <label class="field">
        {name}
        <select
          value={chosen[0] ?? ''}
          onChange={({ currentTarget: { value } }) => onChoose(value === '' ? [] : [value])}
        >
          <option value="">{least === 0 ? 'None' : 'Choose…'}</option>
          {available.map(({ modifier_id, name: option }) => (
            <option key={modifier_id} value={modifier_id}>
              {option}
            </option>
          ))}
        </select>
      </label>
    )
  const turn = ({ modifier_id: id }: Modifier): void =>
    onChoose(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id])
  return (
    <fieldset>
      <legend>{name}</legend>
      {available.map((modifier) => (
        <label class="option" key={modifier.modifier_id}>
          <input
            type="checkbox"
            checked={chosen.includes(modifier.modifier_id)}
            onChange={() => turn(modifier)}
          />
          {modifier.name}
        </label>
      ))}
    </fieldset>
  )
}
