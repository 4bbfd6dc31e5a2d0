import { describe, expect, test } from 'vitest'
import { renderTextTable } from '../../../src/cli/output/table.ts'
import { measureTextWidth } from '../../../src/cli/output/text.ts'
import { gbp } from '../../support/money.ts'

const renderOptions = { tty: true, width: 100, colour: false, timezone: 'Europe/London' }
const rows = [
  {
    tracking_number: 'ZC968043370GB',
    reference: 'A-1001',
    status: 'delivered',
    to: 'Ada Lovelace',
    total: gbp(612),
    created_at: '2026-11-20T12:00:00.000Z',
  },
  {
    tracking_number: 'ZC044586553GB',
    reference: null,
    status: 'in_transit',
    to: '山田太郎 with a name that goes on for longer than anyone would like it to',
    total: gbp(123456),
    created_at: '2026-11-20T12:30:00.000Z',
  },
  {
    tracking_number: 'ZC121129771GB',
    reference: 'A-1003',
    status: 'lost',
    to: 'Bob 👩\u200d🚀',
    total: gbp(5),
    created_at: '2026-11-21T09:05:00.000Z',
  },
]
const columns = [
  { field: 'tracking_number', label: 'Parcel' },
  { field: 'reference' },
  { field: 'status' },
  { field: 'to' },
  { field: 'total', label: 'Price' },
  { field: 'created_at' },
]

describe('on a terminal', () => {
  test('fits, with a rule, figures to the right and the zone said once', async () => {
    expect(await renderTextTable(rows, columns, { ...renderOptions, width: 83 })).toBe(
      [
        'Parcel         Reference  Status      To                   Price  Created (GMT)',
        '─────────────  ─────────  ──────────  ───────────────  ─────────  ─────────────────',
        'ZC968043370GB  A-1001     delivered   Ada Lovelace         £6.12  20 Nov 2026 12:00',
        'ZC044586553GB  –          in_transit  山田太郎 with …  £1,234.56  20 Nov 2026 12:30',
        'ZC121129771GB  A-1003     lost        Bob 👩\u200d🚀               £0.05  21 Nov 2026 09:05',
      ].join('\n'),
    )
  })

  test('shows the zone beside each time when the clocks changed in between', async () => {
    const mixed = [{ at: '2026-11-20T12:00:00.000Z' }, { at: '2026-07-20T12:00:00.000Z' }, { at: null }]
    expect(await renderTextTable(mixed, [{ field: 'at' }], renderOptions)).toBe(
      ['At', '─────────────────────', '20 Nov 2026 12:00 GMT', '20 Jul 2026 13:00 BST', '–'].join('\n'),
    )
  })

  test.each([200, 120, 100, 90, 80, 70, 60, 50])('never exceeds %i columns', async (room) => {
    const text = await renderTextTable(rows, columns, { ...renderOptions, width: room })
    for (const line of text.split('\n')) expect(measureTextWidth(line)).toBeLessThanOrEqual(room)
  })

  test('cuts long text before it leaves a column out, and names the columns that it left out', async () => {
    const narrow = await renderTextTable(rows, columns, { ...renderOptions, width: 64 })
    expect(narrow).toContain('山田')
    expect(narrow).toContain('Hidden columns: created_at. Widen the terminal or use --fields.')
    expect(narrow).not.toContain('Nov')
  })

  describe('with names', () => {
    const store = 'Goosefoot Grocer Spitalfields'
    const orders = [
      { number: 'X7KH', store: { name: store }, status: 'completed', paid: 'yes', note: null, id: 'ord_1' },
      { number: 'BPGY', store: { name: 'Kettle' }, status: 'rejected', paid: 'no', note: '', id: 'ord_2' },
    ]
    const of = (...order: (number | undefined)[]) =>
      ['number', 'store.name', 'status', 'paid', 'note', 'id'].map((field, at) => {
        const rank = order[at]
        return rank === undefined ? { field } : { field, dropOrder: rank }
      })

    test('leaves out a column that is empty in every row, without a notice', async () => {
      expect((await renderTextTable(orders, of(), renderOptions)).split('\n')[0]).toBe(
        'Number  Name                           Status     Paid  Id',
      )
      expect(await renderTextTable(orders, of(), { ...renderOptions, accessible: true })).not.toContain(
        'Note',
      )
    })

    test('keeps an empty column that the user named, and all of them in a pipe', async () => {
      expect(await renderTextTable(orders, of(), renderOptions, { chosen: true })).toContain('Note')
      expect(await renderTextTable(orders, of(), { ...renderOptions, tty: false })).toContain('\tnote\t')
    })

    test('leaves columns out before it cuts a name: those that are declared, then those at the right', async () => {
      const shown = async (room: number, ...order: (number | undefined)[]) => {
        const text = await renderTextTable(orders, of(...order), { ...renderOptions, width: room })
        expect(text).toContain(store)
        return text.split('\n')[0]?.split(/\s{2,}/)
      }
      expect(await shown(55)).toEqual(['Number', 'Name', 'Status', 'Paid'])
      expect(await shown(55, undefined, undefined, 2, 1)).toEqual(['Number', 'Name', 'Status', 'Id'])
      expect(await shown(46, undefined, undefined, 2, 1)).toEqual(['Number', 'Name', 'Id'])
    })

    test('cuts a name when only three columns are left', async () => {
      const text = await renderTextTable(orders, of(), { ...renderOptions, width: 40 })
      expect(text.split('\n')[0]).toBe('Number  Name                   Status')
      expect(text).toContain('Goosefoot Grocer Spi…')
    })
  })

  test.each([20, 30])('makes each row a card at %i columns, whole and without loss', async (room) => {
    const text = await renderTextTable(rows, columns, { ...renderOptions, width: room })
    const words = text.replaceAll(/\s+/g, ' ')
    expect(words).toContain('Parcel ZC968043370GB')
    expect(words).toContain('To 山田太郎 with a name that goes on for longer than anyone would like it to')
    expect(words).toContain('Created (GMT) 21 Nov 2026 09:05')
    expect(words).not.toContain('…')
  })

  test('shows rejected rows first, and leaves them in their place in a pipe', async () => {
    const batch = ['created', 'rejected', 'duplicate', 'rejected'].map((result, at) => ({
      row: at + 1,
      result,
    }))
    const of = async (tty: boolean) =>
      (await renderTextTable(batch, [{ field: 'row' }, { field: 'result' }], { ...renderOptions, tty }))
        .split('\n')
        .flatMap((line) => /\d/.exec(line)?.[0] ?? [])
    expect(await of(true)).toEqual(['2', '4', '1', '3'])
    expect(await of(false)).toEqual(['1', '2', '3', '4'])
  })

  test('leaves no column out that the user named', async () => {
    const text = await renderTextTable(rows, columns, { ...renderOptions, width: 60 }, { chosen: true })
    expect(text).not.toContain('Not shown')
    expect(text).toContain('£1,234.56')
  })

  test('colours status words and headings, and reads the same without', async () => {
    const coloured = await renderTextTable(rows, columns, { ...renderOptions, colour: true })
    expect(coloured).toContain('\x1b[32mdelivered\x1b[39m')
    // oxlint-disable-next-line no-control-regex -- the codes are what is taken out
    expect(coloured.replaceAll(/\x1b\[\d+m/g, '')).toBe(await renderTextTable(rows, columns, renderOptions))
  })

  test('is one table however long it is', async () => {
    const many = Array.from({ length: 1001 }, (_, n) => ({ n, name: `Name ${n}` }))
    const lines = (await renderTextTable(many, [{ field: 'n' }, { field: 'name' }], renderOptions)).split(
      '\n',
    )
    expect(lines).toHaveLength(1003)
    expect(lines.filter((line) => line.includes('─'))).toEqual(['────  ─────────'])
    expect(lines.slice(2)).toEqual(many.map(({ n, name }) => `${String(n).padStart(4)}  ${name}`))
  })

  test('of an empty list is empty', async () => {
    expect(await renderTextTable([], columns, renderOptions)).toBe('')
  })

  test('is not broken by a character of the frame', async () => {
    expect(
      await renderTextTable([{ a: '##  #', b: '─│' }], [{ field: 'a' }, { field: 'b' }], renderOptions),
    ).toBe(['A      B', '─────  ──', '##  #  ─│'].join('\n'))
  })
})

describe('in a pipe', () => {
  test('is tab-separated under the names of the wire, with nothing cut', async () => {
    expect(await renderTextTable(rows, columns, { ...renderOptions, tty: false, width: 20 })).toBe(
      [
        'tracking_number\treference\tstatus\tto\ttotal\tcreated_at',
        'ZC968043370GB\tA-1001\tdelivered\tAda Lovelace\t6.12 GBP\t2026-11-20T12:00:00.000+00:00',
        'ZC044586553GB\t\tin_transit\t山田太郎 with a name that goes on for longer than anyone would like it to\t1234.56 GBP\t2026-11-20T12:30:00.000+00:00',
        'ZC121129771GB\tA-1003\tlost\tBob 👩\u200d🚀\t0.05 GBP\t2026-11-21T09:05:00.000+00:00',
      ].join('\n'),
    )
  })

  test('has its one header line even when the list is empty', async () => {
    expect(await renderTextTable([], columns, { ...renderOptions, tty: false })).toBe(
      'tracking_number\treference\tstatus\tto\ttotal\tcreated_at',
    )
  })

  test('keeps a tab or a line break from making a cell of its own', async () => {
    const text = await renderTextTable([{ name: 'a\tb\nc', n: 1 }], [{ field: 'name' }, { field: 'n' }], {
      ...renderOptions,
      tty: false,
    })
    expect(text).toBe('name\tn\na b⏎c\t1')
  })
})

describe('for a screen reader', () => {
  test('has no rule, no dash, no cut', async () => {
    const text = await renderTextTable(rows, columns, { ...renderOptions, width: 200, accessible: true })
    expect(text).not.toMatch(/[─–…]/)
    expect(text.split('\n')[2]).toMatch(/^ZC044586553GB {2}none {7}in_transit/)
  })

  test('reads label by label when the lines would be too long', async () => {
    const text = await renderTextTable(rows, columns, { ...renderOptions, width: 60, accessible: true })
    expect(text).toContain(
      'Parcel: ZC044586553GB\nReference: none\nStatus: in_transit\nTo: 山田太郎 with a name that goes on',
    )
  })
})
