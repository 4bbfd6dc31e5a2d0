import { defineCommand } from '../../cli/define-command.ts'
import { templateFields, templateFile, templateFlags, writeTemplate } from '../../cli/upload/template.ts'
import type { Template } from '../../cli/upload/template.ts'
import { MANIFEST_FILE_KIND } from '../../tabular/manifest/kind.ts'

const TEMPLATE: Template = { kind: MANIFEST_FILE_KIND, holds: 'five parcels', reader: ['carrier', 'upload'] }

/** `dray carrier template [FILE]`: the manifest to start from. */
export const carrierTemplate = defineCommand({
  words: 'carrier template',
  summary: 'Write an empty manifest and an example',
  description:
    'With a file name, writes the header to it and five example parcels to <name>.example.csv. Without one, prints the header, or with --example the example, to standard output.',
  danger: 'write',
  answer: templateFields('manifest'),
  positionals: [templateFile('manifest')],
  flags: templateFlags('manifest'),
  examples: [
    'dray carrier template manifest.csv',
    'dray carrier template --example | dray carrier upload - --dry-run',
  ],
  run: (cli, args) => writeTemplate(cli, args, TEMPLATE),
})
