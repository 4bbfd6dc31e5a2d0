import { askValues } from '../../cli/ask-values.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { removeStation, STATION } from './kitchen-stations.ts'
import { MERCHANT_FLAG } from './merchant-flag.ts'

/** `dray business station remove Bar`. */
export const businessStationRemove = defineCommand({
  words: 'business station remove',
  summary: 'Remove a kitchen station',
  description:
    'Its categories and items are then at no station: their lines are on the screens of all lines.',
  danger: 'write',
  answer: { of: ['set_store_settings'] },
  takes: ['dry-run', 'idempotency-key', 'new'],
  positionals: [{ name: 'station', description: 'name of the station, such as Bar', required: true }],
  flags: [MERCHANT_FLAG],
  examples: ['dray business station remove Bar'],
  async run(cli, { station, merchant }) {
    const answers = await askValues(cli, station === undefined ? [STATION] : [])
    return removeStation(cli, { name: station ?? answers.station ?? '', merchant })
  },
})
