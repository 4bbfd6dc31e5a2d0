/** Compares deliveries that no courier can bring with the model. */
import { couriers } from '../support/model-calls.ts'
import { runMovingConfirmStep } from './moving-confirms.ts'
import type { MovingRun } from './moving-life.ts'
import { runMovingQuoteStep } from './moving-quotes.ts'
import type { MovingStepOf } from './moving-steps.ts'

/** Requests a delivery that was just quoted, and asks for another one, while no courier works. */
export async function askNobody(
  life: MovingRun,
  { as, pick, more }: MovingStepOf<'ask nobody'>,
): Promise<void> {
  const asked = { do: 'quote', area: 'delivery', as, variant: 1, pick, more } as const
  await runMovingQuoteStep(life, asked)
  await couriers(life, { away: true })
  await runMovingConfirmStep(life, {
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
  await runMovingQuoteStep(life, asked)
  await couriers(life, { away: false })
}
