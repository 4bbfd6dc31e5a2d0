import { describe, expect, test } from 'vitest'
import { setEntry } from '../../../src/commands/mcp/json-text.ts'
import { fc } from '../../support/properties.ts'

const ENTRY = { command: '/usr/bin/node', args: ['dray.js', 'mcp'] }

function changed(text: string, section = 'mcpServers', name = 'dray'): string {
  const edit = setEntry(text, section, name, ENTRY)
  if (edit.kind !== 'changed') throw new Error(JSON.stringify(edit))
  return edit.text
}

describe('the entry', () => {
  test('makes a file where there is none', () => {
    expect(changed('')).toBe(`{
  "mcpServers": {
    "dray": {
      "command": "/usr/bin/node",
      "args": [
        "dray.js",
        "mcp"
      ]
    }
  }
}
`)
  })

  test('goes behind the servers that are there, in their way of writing, and touches nothing else', () => {
    const before = `{
\t// mine
\t"theme": "dark",   "mcpServers": {
\t\t"gh": { "command": "gh", "args": [] }, /* keep, */
\t},
}
`
    expect(changed(before)).toBe(`{
\t// mine
\t"theme": "dark",   "mcpServers": {
\t\t"gh": { "command": "gh", "args": [] }, /* keep, */
\t\t"dray": {
\t\t\t"command": "/usr/bin/node",
\t\t\t"args": [
\t\t\t\t"dray.js",
\t\t\t\t"mcp"
\t\t\t]
\t\t},
\t},
}
`)
  })

  test.each([
    ['"gh": {} // mine', '"gh": {}, // mine', ''],
    ['"gh": {}, // mine', '"gh": {}, // mine', ','],
    ['"gh": {} /* a */, /* b */ // c', '"gh": {} /* a */, /* b */ // c', ','],
  ])('leaves what is said behind %j where it was', (line, kept, comma) => {
    const text = changed(`{\n  "mcpServers": {\n    ${line}\n  }\n}\n`)
    expect(text).toContain(`    ${kept}\n    "dray": {\n`)
    expect(text.endsWith(`\n    }${comma}\n  }\n}\n`)).toBe(true)
  })

  test.each([
    ['{}', { mcpServers: { dray: ENTRY } }],
    ['{ "a": 1 }', { a: 1, mcpServers: { dray: ENTRY } }],
    ['{"mcpServers":{}}', { mcpServers: { dray: ENTRY } }],
    ['{"mcpServers": {\n}}\n', { mcpServers: { dray: ENTRY } }],
    ['\ufeff{"a": "}"}', { a: '}', mcpServers: { dray: ENTRY } }],
    ['{"a": "// no comment", "b": ["]", {"mcpServers": 1}]}', undefined],
    ['{"x": {"mcpServers": {"dray": 1}}}', { x: { mcpServers: { dray: 1 } }, mcpServers: { dray: ENTRY } }],
  ])('comes into %j', (before, after) => {
    const meant = after ?? { ...(JSON.parse(before) as object), mcpServers: { dray: ENTRY } }
    expect(JSON.parse(changed(before).replace('\ufeff', ''))).toEqual(meant)
  })

  test('keeps the line ends of the file', () => {
    const text = changed('{\r\n  "a": 1\r\n}\r\n')
    expect(text.replaceAll('\r\n', '')).not.toContain('\n')
  })

  test('replaces an older one, and leaves its other fields', () => {
    const before =
      '{"mcpServers": {"dray": {"command": "old", "env": {"A": "b"}, "disabled": true}, "z": {}}}'
    expect(JSON.parse(changed(before))).toEqual({
      mcpServers: { dray: { ...ENTRY, env: { A: 'b' }, disabled: true }, z: {} },
    })
    const withHome = setEntry(before, 'mcpServers', 'dray', { ...ENTRY, env: { DRAY_HOME: '/x' } })
    expect(withHome).toMatchObject({ text: expect.stringMatching(/"A": "b",\s+"DRAY_HOME": "\/x"/) })
    expect(setEntry(changed(before), 'mcpServers', 'dray', ENTRY)).toEqual({ kind: 'same' })
  })

  test.each([
    ['no JSON', 'is not a JSON object'],
    ['[]', 'is not a JSON object'],
    ['{"a": 1', 'is not a JSON object'],
    ['{"mcpServers": []}', 'has a different kind of value under mcpServers'],
    ['{"mcpServers": {"dray": "x"}}', 'holds something else under mcpServers.dray'],
    ['{"mcpServers": {"dray": {"url": "https://a"}}}', 'holds a server at an address under mcpServers.dray'],
  ])('does not come into %j', (text, why) => {
    expect(setEntry(text, 'mcpServers', 'dray', ENTRY)).toEqual({ kind: 'refused', why })
  })

  test('changes no other byte of any file that it comes into', () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })).filter((file) => {
      const servers: unknown = file['mcpServers']
      return (
        servers === undefined || (typeof servers === 'object' && servers !== null && !Array.isArray(servers))
      )
    })
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 2, '\t'), (file, indent) => {
        const text = JSON.stringify(file, null, indent)
        const after = changed(text)
        const [head, tail] = [common(text, after), common(reverse(text), reverse(after))]
        expect(head + tail).toBeGreaterThanOrEqual(text.replaceAll(/\s/g, '').length === 2 ? 2 : text.length)
        const { mcpServers = {}, ...rest } = JSON.parse(text) as { mcpServers?: object }
        expect(JSON.parse(after)).toEqual({ ...rest, mcpServers: { ...mcpServers, dray: ENTRY } })
      }),
      { seed: 20_261_120, numRuns: 300 },
    )
  })
})

function common(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  return at
}

function reverse(text: string): string {
  return Array.from({ length: text.length }, (_, at) => text[text.length - 1 - at]).join('')
}
