import { defineCommand } from '../../cli/define-command.ts'
import { printResult } from '../../cli/print.ts'
import { SUPPLY_LEVELS } from '../../core/supply.ts'
import { spec } from '../../generated/specs/set_supply.ts'
import { callControl } from './call-control.ts'

export const sandboxSupply = defineCommand({
  words: 'sandbox supply',
  summary: 'Show or set how many people are available',
  description:
    'normal has dozens of each; scarce has two per kind of job, so customers have to wait; unlimited has one for every job, for load tests. A reset returns to normal.',
  positionals: [
    {
      name: 'supply',
      kind: 'enum',
      choices: SUPPLY_LEVELS,
      description: 'supply level. Default: show the current level',
    },
  ],
  examples: ['dray sandbox supply', 'dray sandbox supply scarce', 'dray sandbox supply unlimited'],
  danger: 'write',
  answer: { of: ['set_supply'] },
  async run(cli, { supply }) {
    if (supply !== undefined) return callControl<string>(cli, 'set_supply', { supply })
    const { supply: set } = await (await cli.client()).control('get_status', {})
    const columns = spec.operation?.columns ?? []
    await printResult(cli, { supply: set }, { columns, next: 'dray sandbox supply scarce' })
    return 0
  },
})
