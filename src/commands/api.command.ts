import { defineCommand } from '../cli/define-command.ts'
import { printResult } from '../cli/print.ts'
import { AppError } from '../core/errors.ts'
import { findClosestWord } from '../core/nearest.ts'
import { loadOperation } from '../generated/commands.ts'
import { load, NAMES } from '../generated/registry.ts'

/** `dray api <operation>`: the operation defines the flags, so they are parsed after its name is known. */
export const api = defineCommand({
  words: 'api',
  summary: 'Call any operation by name',
  description:
    'Takes the flags of the operation, or its whole input as JSON with --input. `dray api --list` lists the operations, `dray api <operation> --help` lists the flags of one.',
  positionals: [{ name: 'operation', description: 'name of the operation' }],
  flags: [
    { flag: 'list', kind: 'boolean', description: 'list the operations' },
    {
      flag: 'input',
      kind: 'text',
      value: 'FILE|-',
      fileAccess: 'read',
      description: 'whole input as a JSON object',
    },
  ],
  examples: [
    'dray api --list',
    'dray api get_shipment --tracking-number ZC968043370GB',
    'dray api create_shipment --input parcel.json',
  ],
  async run(cli, args) {
    if (args['list'] !== true)
      throw new AppError('usage', 'dray api needs the name of an operation.', {
        hint: '`dray api --list` lists them.',
      })
    const rows = await Promise.all(
      NAMES.map(async (name) => {
        const { operation } = (await load(name)) ?? {}
        return {
          operation: name,
          area: operation?.area,
          method: operation?.method,
          path: operation?.path,
          scope: operation?.scope,
          summary: operation?.summary,
        }
      }),
    )
    await printResult(
      cli,
      { data: rows, has_more: false, next_cursor: null },
      {
        list: true,
        columns: [
          { field: 'operation' },
          { field: 'method' },
          { field: 'path' },
          { field: 'scope' },
          { field: 'summary' },
        ],
      },
    )
    return 0
  },
})

/** Returns the command of one operation for `dray api`: every field is a flag, and a file may give the input. */
export async function apiCommand(name: string): ReturnType<typeof loadOperation> {
  if (!NAMES.includes(name)) {
    const meant = findClosestWord(name, NAMES)
    throw new AppError('usage', `Unknown operation ${name.slice(0, 60)}.`, {
      hint: meant === undefined ? '`dray api --list` lists them.' : `Did you mean \`dray api ${meant}\`?`,
    })
  }
  const command = await loadOperation(name)
  const fromPositionals = command.positionals.map(
    ({ name: field, kind = 'text', description, required, repeat }) => ({
      flag: field.replaceAll('_', '-'),
      field,
      kind,
      description,
      ...(required && { required }),
      ...(repeat && { repeat }),
    }),
  )
  const inputFlag = api.flags.filter(({ flag }) => flag === 'input')
  return {
    ...command,
    words: `api ${name}`,
    positionals: [],
    flags: [...fromPositionals, ...command.flags, ...inputFlag],
  }
}
