import { askValues } from '../../cli/ask-values.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { addStation, STATION } from './kitchen-stations.ts'
import { MERCHANT_FLAG } from './merchant-flag.ts'

/** `dray business station add Bar --category Drinks`. */
export const businessStationAdd = defineCommand({
  words: 'business station add',
  summary: 'Add a kitchen station, or more categories and items to one',
  description:
    'A line of an order belongs to the station of its item, else to that of its category, else to none. A kitchen screen or printer of a station has its lines alone; the lines of no station are on the screens of all lines. A category or item that another station had moves to this one.',
  danger: 'write',
  answer: { of: ['set_store_settings'] },
  takes: ['dry-run', 'idempotency-key', 'new'],
  positionals: [{ name: 'station', description: 'name of the station, such as Bar', required: true }],
  flags: [
    {
      flag: 'category',
      kind: 'text',
      value: 'NAME',
      repeat: true,
      description: 'menu category that it makes, by name or ID',
    },
    {
      flag: 'item',
      kind: 'text',
      value: 'NAME',
      repeat: true,
      description: 'item that it makes, whatever its category, by name or ID',
    },
    MERCHANT_FLAG,
  ],
  examples: [
    'dray business station add Bar --category Drinks',
    'dray business station add Cold --category Desserts --category Salads --item Focaccia',
  ],
  async run(cli, { station, category = [], item: items = [], merchant }) {
    const answers = await askValues(cli, [
      ...(station === undefined ? [STATION] : []),
      ...(category.length + items.length > 0 ? [] : [CATEGORY]),
    ])
    const categories = answers.category === undefined ? category : [answers.category]
    return addStation(cli, { name: station ?? answers.station ?? '', categories, items, merchant })
  },
})

const CATEGORY = {
  key: 'category',
  flag: '--category',
  value: 'Drinks',
  description: 'menu category that it makes; --item names an item instead',
  message: 'Menu category',
} as const
