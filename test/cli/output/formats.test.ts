import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { render, type FormatOptions } from '../../../src/cli/output/formats.ts'

const renderOptions = { tty: false, width: 80, colour: false, timezone: 'Europe/London' }
const page = {
  data: [
    {
      id: 'a',
      price: { total: { amount: 612, currency: 'GBP' } },
      tags: ['x', '=y'],
      note: '=1+1',
      n: -5,
      phone: '+442079460000',
      open: true,
      gone: null,
    },
    {
      id: 'b',
      price: null,
      tags: [],
      note: 'two\nlines, "quoted"',
      n: 1,
      phone: '00123',
      open: false,
      gone: { at: 1 },
    },
  ],
  has_more: true,
  next_cursor: 'abc',
}
const show = (form: FormatOptions, value: unknown = page) => render(value, form, renderOptions)

describe('json', () => {
  test('is the wire form, one indented document', async () => {
    expect(await show({ format: 'json' })).toBe(`${JSON.stringify(page, null, 2)}\n`)
  })
  test('of a missing value is null', async () => {
    expect(await render(undefined, { format: 'json' }, renderOptions)).toBe('null\n')
  })
})

test('ndjson is one object a line', async () => {
  const lines = (await show({ format: 'ndjson' })).split('\n')
  expect(lines).toHaveLength(3)
  expect(lines.slice(0, 2).map((line) => JSON.parse(line) as unknown)).toEqual(page.data)
  expect(await show({ format: 'ndjson' }, { id: 'one' })).toBe('{"id":"one"}\n')
})

describe('csv', () => {
  const exact = [
    {
      reference: '0012E5',
      at: '2026-11-20 09:00',
      vat: '20%',
      paid: true,
      total: { amount: -1250, currency: 'GBP' },
    },
    { reference: '\u00a0=1+1', at: null, vat: '0%', paid: false, total: { amount: 5, currency: 'GBP' } },
    { reference: '000456', at: null, vat: null, paid: null, total: null },
    { reference: '=1', at: null, vat: null, paid: null, total: null },
  ]

  test('is for programs: every text as it is, without a mark or a guard', async () => {
    expect(await show({ format: 'csv' }, exact)).toBe(
      [
        'reference,at,vat,paid,total.amount,total.currency',
        '0012E5,2026-11-20 09:00,20%,true,-12.50,GBP',
        '"\u00a0=1+1",,0%,false,0.05,GBP',
        '000456,,,,,',
        '=1,,,,,',
        '',
      ].join('\n'),
    )
  })

  test('is a sheet for people: a byte order mark, and texts that no spreadsheet changes or runs', async () => {
    const sheet = { amounts: new Set<string>() }
    expect(await show({ format: 'csv', sheet }, exact)).toBe(
      [
        '\uFEFFreference,at,vat,paid,total.amount,total.currency',
        "'0012E5,2026-11-20 09:00,20%,true,-12.50,GBP",
        "'\u00a0=1+1,,0%,false,0.05,GBP",
        "'000456,,,,,",
        "'=1,,,,,",
        '',
      ].join('\n'),
    )
  })

  test('has a column for each value of the wire', async () => {
    expect(await show({ format: 'csv' })).toBe(
      [
        'id,price.total.amount,price.total.currency,tags,note,n,phone,open,gone.at',
        `a,6.12,GBP,"x; =y",=1+1,-5,+442079460000,true,`,
        `b,,,,"two\nlines, ""quoted""",1,00123,false,1`,
        '',
      ].join('\n'),
    )
  })
  test('has sums in one form: major units with all decimals, below 0 too', async () => {
    const sums = [-10320, 1080, 5].map((amount) => ({ sum: { amount, currency: 'GBP' } }))
    const yen = { sum: { amount: -1200, currency: 'JPY' } }
    expect(await show({ format: 'csv' }, { data: [...sums, yen], has_more: false })).toBe(
      'sum.amount,sum.currency\n-103.20,GBP\n10.80,GBP\n0.05,GBP\n-1200,JPY\n',
    )
  })

  test('keeps the order of --fields and opens up what is an object', async () => {
    expect(await show({ format: 'csv', fields: 'n,price.total,id' })).toBe(
      'n,price.total.amount,price.total.currency,id\n-5,6.12,GBP,a\n1,,,b\n',
    )
  })
  test('accepts the result of a query', async () => {
    expect(await show({ format: 'csv', query: 'data[].[id, n]' })).toBe('a,-5\nb,1\n')
    expect(await show({ format: 'csv', query: 'data[].id' })).toBe('value\na\nb\n')
  })
  test('of an empty list is empty, or the header that was asked for', async () => {
    const empty = { data: [], has_more: false, next_cursor: null }
    expect(await show({ format: 'csv' }, empty)).toBe('')
    expect(await show({ format: 'csv', fields: 'id,n' }, empty)).toBe('id,n\n')
  })
})

test('yaml reads back as the wire form, also by parsers of 1.1', async () => {
  const tricky = {
    yes: 'no',
    date: '2026-11-20',
    at: '2026-11-20T12:00:00.000Z',
    octal: '0o17',
    sexagesimal: '1:30',
    n: 1.5,
    nothing: null,
  }
  expect(parse(await show({ format: 'yaml' }))).toEqual(page)
  expect(parse(await show({ format: 'yaml' }, tricky), { version: '1.1' })).toEqual(tricky)
  const twice = { amount: 1 }
  // PyYAML ends at a bare tab, and at a bare `=`.
  expect(await show({ format: 'yaml' }, { a: 'tab\there', b: '=', c: '\uffff' })).toBe(
    'a: "tab\\there"\nb: "="\nc: "\\uffff"\n',
  )
  expect(await show({ format: 'yaml' }, { a: twice, b: twice })).toBe('a:\n  amount: 1\nb:\n  amount: 1\n')
})

describe('--fields', () => {
  test('projects each row of a list and keeps its envelope and order', async () => {
    expect(JSON.parse(await show({ format: 'json', fields: 'price.total,id' }))).toEqual({
      data: [
        { price: { total: { amount: 612, currency: 'GBP' } }, id: 'a' },
        { price: null, id: 'b' },
      ],
      has_more: true,
      next_cursor: 'abc',
    })
    expect(
      Object.keys(
        (JSON.parse(await show({ format: 'json', fields: ' n , id,' })) as typeof page).data[0] ?? {},
      ),
    ).toEqual(['n', 'id'])
  })
  test('reaches into lists', async () => {
    const value = {
      lines: [
        { name: 'tea', price: 1 },
        { name: 'cake', price: 2 },
      ],
    }
    expect(JSON.parse(await show({ format: 'json', fields: 'lines.name' }, value))).toEqual({
      lines: [{ name: 'tea' }, { name: 'cake' }],
    })
    expect(await show({ format: 'csv', fields: 'lines.name' }, value)).toBe('lines.name\n"tea; cake"\n')
  })
  test('works for every form', async () => {
    expect(await show({ format: 'table', fields: 'n,id' })).toBe('n\tid\n-5\ta\n1\tb\n')
    expect(await show({ format: 'ndjson', fields: 'id' })).toBe('{"id":"a"}\n{"id":"b"}\n')
    expect(parse(await show({ format: 'yaml', fields: 'id' }))).toEqual({
      data: [{ id: 'a' }, { id: 'b' }],
      has_more: true,
      next_cursor: 'abc',
    })
  })
  test('uses the heading of the column', async () => {
    const form: FormatOptions = {
      format: 'table',
      fields: 'price.total',
      columns: [{ field: 'price.total', label: 'To pay' }],
    }
    expect(await render(page, form, { ...renderOptions, tty: true })).toBe(
      'To pay\n──────\n £6.12\n–\n'.replace('\n–\n', '\n     –\n'),
    )
  })
  test('refuses unknown ones, naming them all and what there is', async () => {
    await expect(show({ format: 'json', fields: 'id,colour,price.sum' })).rejects.toMatchObject({
      code: 'usage',
      message:
        'Unknown fields in --fields: colour, price.sum. Available: id, price, tags, note, n, phone, open, gone.',
      hint: expect.stringContaining('--fields help') as string,
    })
    await expect(show({ format: 'json', fields: ' , ' })).rejects.toMatchObject({ code: 'usage' })
  })
  test('takes a field that the schema declares although no row holds it', async () => {
    const declared = () => Promise.resolve(['id', 'later'])
    expect(JSON.parse(await show({ format: 'json', fields: 'later', declared }, { id: 'a' }))).toEqual({
      later: null,
    })
    await expect(show({ format: 'json', fields: 'late', declared }, { id: 'a' })).rejects.toMatchObject({
      code: 'usage',
    })
  })
  test('accepts a member of an object that is null everywhere', async () => {
    expect(JSON.parse(await show({ format: 'json', fields: 'proof.kind' }, { proof: null }))).toEqual({
      proof: null,
    })
  })
  test('help lists them, nested ones too', async () => {
    const value = { data: [{ id: 'a', price: { total: 1 } }], has_more: false, next_cursor: null }
    expect(await show({ format: 'table', fields: 'help' }, value)).toBe('id\nprice\nprice.total\n')
    expect(JSON.parse(await show({ format: 'json', fields: 'help' }, value))).toEqual([
      'id',
      'price',
      'price.total',
    ])
    expect(
      await show({ format: 'table', fields: 'help', declared: () => Promise.resolve(['x.y']) }, value),
    ).toBe('x.y\n')
  })
  test('cannot reach a prototype', async () => {
    await expect(show({ format: 'json', fields: '__proto__' }, { id: 'a' })).rejects.toMatchObject({
      code: 'usage',
    })
    const value = JSON.parse('{"__proto__": {"polluted": 1}}') as unknown
    expect(await show({ format: 'json', fields: '__proto__.polluted' }, value)).toBe(
      '{\n  "__proto__": {\n    "polluted": 1\n  }\n}\n',
    )
    expect({}).not.toHaveProperty('polluted')
  })
})

describe('--query', () => {
  test('reshapes the document in every form', async () => {
    expect(await show({ format: 'json', query: 'data[?n > `0`].id | [0]' })).toBe('"b"\n')
    expect(await show({ format: 'table', query: 'data[?n > `0`].id | [0]' })).toBe('b\n')
    expect(await show({ format: 'table', query: 'data[].id' })).toBe('a\nb\n')
    expect(await show({ format: 'table', query: 'data[].{Name: id, N: n}' })).toBe('Name\tN\na\t-5\nb\t1\n')
    expect(await show({ format: 'json', query: 'nothing.here' })).toBe('null\n')
    expect(await show({ format: 'table', query: 'nothing.here' })).toBe('')
  })
  test('comes before --fields', async () => {
    expect(await show({ format: 'table', query: 'data[].{Name: id, N: n}', fields: 'N' })).toBe('N\n-5\n1\n')
  })
  test.each([
    ['data[*', 7, 'at its end'],
    ['foo bar', 5, 'near "bar"'],
    ['a..b', 3, 'near ".b"'],
    ['a."b', 3, String.raw`near "\"b"`],
    ['', 1, 'at its end'],
    ['data[?status==delivered', 24, 'at its end'],
    ['a | | b', 5, 'near "| b"'],
  ])('that is wrong (%s) is refused with the place', async (query, character, near) => {
    await expect(show({ format: 'json', query })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(`(character ${character}, ${near})`) as string,
    })
  })
  test('that does not fit the result is refused, too', async () => {
    await expect(show({ format: 'json', query: 'length(has_more)' })).rejects.toMatchObject({ code: 'usage' })
    await expect(show({ format: 'json', query: 'no_such_function(data)' })).rejects.toMatchObject({
      code: 'usage',
    })
  })
})

test('an answer that is nothing but its rows is a table of them', async () => {
  const columns = [{ field: 'id' }, { field: 'n', label: 'Count' }]
  const bare = { data: [{ id: 'a', n: 1 }] }
  const shown = await show({ format: 'table', columns }, bare)
  expect(shown).toBe(
    await show({ format: 'table', columns }, { ...bare, has_more: false, next_cursor: null }),
  )
  expect(shown).toMatch(/^id\tn\na\t1\n$/i)
  expect(await show({ format: 'json', columns }, bare)).toBe(`${JSON.stringify(bare, null, 2)}\n`)
})
