import { askValues } from '../../cli/ask-values.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { readWeek, sendHours } from './hours/times.ts'
import { MERCHANT_FLAG } from './merchant-flag.ts'

const HOURS = {
  key: 'hours',
  flag: 'HOURS',
  value: 'daily 11-23',
  description: 'days and their hours, such as mon-sat 11-23 sun closed',
} as const

/** `dray business hours set mon-fri 11-23 sat 12-02 sun closed`: replaces the weekly hours. */
export const businessHoursSet = defineCommand({
  words: 'business hours set',
  summary: 'Set the weekly opening hours of your store',
  description:
    'Local time of the store. Name each day, alone (sat), in a range (mon-fri) or with daily; a day has several periods (11-15,17-23), or is closed. A period that ends at or before its start ends on the next day (18-02). Single days keep their own hours.',
  danger: 'write',
  answer: { of: ['set_store_hours'] },
  takes: ['dry-run', 'idempotency-key', 'new'],
  positionals: [{ name: 'hours', repeat: true, description: 'days and their hours, such as mon-fri 11-23' }],
  flags: [MERCHANT_FLAG],
  examples: [
    'dray business hours set daily 11-23',
    'dray business hours set mon-fri 11-15,17:30-23 sat 12-02 sun closed',
  ],
  async run(cli, { hours = [], merchant }) {
    const asked = await askValues(cli, hours.length === 0 ? [HOURS] : [])
    const words = asked.hours === undefined ? hours : asked.hours.split(/\s+/)
    return sendHours(cli, { weekly: readWeek(words) }, merchant)
  },
})
