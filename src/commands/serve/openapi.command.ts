import { defineCommand } from '../../cli/define-command.ts'
import { print } from '../../cli/output/print.ts'
import { load, NAMES } from '../../generated/registry.ts'
import { openapiDocument } from '../../server/openapi.ts'

/** `dray openapi`: prints the same document as `GET /openapi.json` of a service. */
export const openapi = defineCommand({
  words: 'openapi',
  summary: 'Print the OpenAPI 3.1 document',
  description:
    'Prints JSON, or YAML with --output yaml. A running `dray serve` has the same document at /openapi.json.',
  examples: [
    'dray openapi > openapi.json',
    'dray openapi --output yaml',
    "dray openapi --query 'keys(paths)'",
  ],
  async run({ io, settings, globals, runtime }) {
    const loaded = await Promise.all(NAMES.map((name) => load(name)))
    const operations = loaded.flatMap((entry) => (entry === undefined ? [] : [entry.operation]))
    const { fields, query } = globals
    const { EXAMPLES } = await import('../../generated/examples.ts')
    await print(io, openapiDocument(operations, runtime.version, EXAMPLES), {
      format: settings.format === 'yaml' ? 'yaml' : 'json',
      fields,
      query,
    })
    return undefined
  },
})
