/** Compares deliveries that no courier can bring with the model. */
import { couriers } from '../support/model-calls.ts'
import { confirm } from './moving-confirms.ts'
import type { Life } from './moving-life.ts'
import { quote } from './moving-quotes.ts'
import type { Of } from './moving-steps.ts'

/** Requests a delivery that was just quoted, and asks for another one, while no courier works. */
export async function askNobody(life: Life, { as, pick, more }: Of<'ask nobody'>): Promise<void> {
  const asked = { do: 'quote', area: 'delivery', as, variant: 1, pick, more } as const
  await quote(life, asked)
  await couriers(life, { away: true })
  await confirm(life, {
    do: 'confirm',
    area: 'delivery',
    as: undefined,
    which: 0,
    usable: true,
    method: 'card',
    token: 'tok_ok',
    expected: 'none',
    flaw: 'none',
    scenario: 0,
    variant: more,
    key: undefined,
    wait: 'no',
  })
  await quote(life, asked)
  await couriers(life, { away: false })
}
