import { defineCommand } from '../../cli/define-command.ts'
import { printValue } from '../../cli/output/print.ts'
import { SCENARIO_SCHEMA } from './schema.ts'

export const scenarioSchema = defineCommand({
  words: 'scenario schema',
  summary: 'Print the JSON Schema of scenario files',
  description:
    'Editors check and complete a scenario whose first line names the printed file: # yaml-language-server: $schema=./scenario.schema.json. Prints JSON, or YAML with --output yaml.',
  examples: ['dray scenario schema > scenario.schema.json'],
  async run({ io, settings, globals: { fields, query } }) {
    await printValue(io, SCENARIO_SCHEMA, {
      format: settings.format === 'yaml' ? 'yaml' : 'json',
      fields,
      query,
    })
    return undefined
  },
})
