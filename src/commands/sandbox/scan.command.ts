import { askValues, assertComplete } from '../../cli/ask-values.ts'
import type { Command } from '../../cli/define-command.ts'
import { AppError } from '../../core/errors.ts'
import { spec } from '../../generated/specs/scan_shipment.ts'
import { readControlInput } from './arguments.ts'
import { callControl } from './call-control.ts'

const [NUMBER, CODE] = spec.positionals
const { field, kind, choices } = CODE

const SCANNED = { flag: 'TRACKING_NUMBER', value: 'ZC…GB', description: NUMBER.description }
const TYPE = {
  key: 'code',
  flag: 'CODE',
  value: choices[0],
  description: CODE.description,
  message: 'Type of scan?',
  choices: choices.map((value) => ({ value, name: value.replaceAll('_', ' ') })),
} as const

/** The declared command of a parcel's scan, which takes a collection manifest, too: that is scanned without a type of scan. */
export const sandboxScan: Command = {
  ...spec,
  summary: 'Scan a parcel or a collection manifest by hand, as a hub, a courier or a driver would',
  description: `${spec.description} A manifest has no code: its scan collects all its parcels that still wait.`,
  positionals: [NUMBER, { name: CODE.name, field, kind, choices, description: CODE.description }],
  examples: [...spec.examples, 'dray sandbox scan mnf_01m7vkystgf7vtyybg4s0p9p1s'],
  async run(cli, args) {
    if (args[NUMBER.name] === undefined)
      await assertComplete(cli, [SCANNED, ...(args['code'] === undefined ? [TYPE] : [])])
    const { tracking_number = '', code: typed, ...rest } = await readControlInput<'scan_shipment'>(cli, args)
    const isManifest = /^mnf_/i.test(tracking_number.trim())
    const asked = !isManifest && typed === undefined ? await askValues(cli, [TYPE]) : {}
    // One of the choices of the question.
    const code = typed ?? (asked['code'] as typeof typed)
    if (!isManifest && code !== undefined)
      return callControl(cli, 'scan_shipment', { tracking_number, code, ...rest })
    if (code !== undefined || Object.keys(rest).length > 0)
      throw new AppError(
        'usage',
        'The scan of a manifest collects its parcels: it takes no code and no flags.',
      )
    return callControl(cli, 'scan_manifest', { manifest_id: tracking_number.trim().toLowerCase() })
  },
}
