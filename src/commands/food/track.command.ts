import { defineCommand } from '../../cli/define-command.ts'
import { follow } from '../../cli/track/follow.ts'
import { orderIdOf } from './find-order.ts'
import { toOrderJourney } from './journey.ts'

/** `dray food track [ORDER]`: from the kitchen to the door. */
export const foodTrack = defineCommand({
  words: 'food track',
  summary: 'Follow an order until it is over',
  description:
    'The last order without an id. On a terminal it is drawn over as it goes on, with the courier on the map; piped, one line for each change. On a frozen sandbox clock it ends at once with exit 8: `dray sandbox clock advance` moves the world. With --json it prints the final state once; --output ndjson prints each change as it comes.',
  positionals: [{ name: 'order_id', description: 'the order, by number or id; the last one without it' }],
  examples: [
    'dray food track',
    'dray food track ord_01m7vkystgfp1b10jk5dh9yvxy --output ndjson --timeout 1h',
  ],
  run: async (cli, args) =>
    follow(cli, {
      operation: 'get_food_order',
      input: { order_id: await orderIdOf(cli, args.order_id) },
      toJourney: toOrderJourney,
      nudge: '15m',
    }),
})
