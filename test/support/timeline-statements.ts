import type { Tx } from '../../src/core/db.ts'
import * as timeline from '../../src/db/timeline.ts'

type Statement = readonly [name: string, run: (tx: Tx) => Promise<unknown>]

function makeDueEvent(resource_id: string, due_at: number): Omit<timeline.TimelineEvent, 'seq'> {
  return { due_at, kind: 'shipment', resource_id, owner_id: 'agr_1', event: 'scan', payload: { attempt: 1 } }
}

/** The statements of planned events, in an order in which each finds or removes some. */
export function timelineStatements(now: number): readonly Statement[] {
  return [
    ['removeSoonestDue', async (tx) => timeline.removeSoonestDue(tx)],
    ['findNextDueTime', timeline.findNextDueTime],
    [
      'scheduleEvents',
      (tx) =>
        timeline.scheduleEvents(tx, now, [
          makeDueEvent('s1', now + 2),
          makeDueEvent('s2', now + 1),
          { ...makeDueEvent('dlv_1', now + 1), kind: 'delivery', link_id: 'ord_1', counterparty_id: 'agr_2' },
        ]),
    ],
    ...[{}, { resource: 's1' }, { resource: 'ord_1' }, { owner: 'agr_1' }, { counterparty: 'agr_2' }].flatMap(
      (due) =>
        [
          ['hasDueEvents', (tx: Tx) => timeline.hasDueEvents(tx, now + 2, due)],
          ['listDueEvents', (tx: Tx) => timeline.listDueEvents(tx, now + 2, due, 10)],
        ] as const,
    ),
    ['findNextTimelineEvent', (tx) => timeline.findNextTimelineEvent(tx, 's1')],
    ['findNextTimelineEvent', (tx) => timeline.findNextTimelineEvent(tx, 'ord_1')],
    ['listPlannedEvents', (tx) => timeline.listPlannedEvents(tx, ['s1', 's2', 'ord_1'])],
    ['listPlannedEvents', (tx) => timeline.listPlannedEvents(tx, [])],
    ['findNextDueTime', (tx) => timeline.findNextDueTime(tx, { resource: 'ord_1' })],
    ['findNextDueTime', (tx) => timeline.findNextDueTime(tx, { resource: 'none' })],
    ['removeSoonestDue', async (tx) => timeline.removeSoonestDue(tx)],
    ['findNextDueTime', timeline.findNextDueTime],
    [
      'removeFromTimeline',
      async (tx) =>
        timeline.removeFromTimeline(tx, (await timeline.findNextTimelineEvent(tx, 's1'))?.seq ?? 0),
    ],
    ['unscheduleResource', (tx) => timeline.unscheduleResource(tx, 's2')],
    ['unscheduleEvents', (tx) => timeline.unscheduleEvents(tx, 's2', ['ready'])],
    ['removeSoonestDue', async (tx) => timeline.removeSoonestDue(tx)],
    ['findNextDueTime', timeline.findNextDueTime],
  ]
}
