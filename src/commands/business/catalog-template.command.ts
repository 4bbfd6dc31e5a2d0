import { defineCommand } from '../../cli/define-command.ts'
import { templateFields, templateFile, templateFlags, writeTemplate } from '../../cli/upload/template.ts'
import type { Template } from '../../cli/upload/template.ts'
import { MENU_FILE_KIND } from './menu/kind.ts'

const TEMPLATE: Template = {
  kind: MENU_FILE_KIND,
  holds: 'five items',
  reader: ['business', 'catalog', 'import'],
}

/** `dray business catalog template [FILE]`: the menu to start from. */
export const businessCatalogTemplate = defineCommand({
  words: 'business catalog template',
  summary: 'Write an empty menu file and an example',
  description:
    'With a file name, writes the header to it and five example items to <name>.example.csv: items with modifiers in one cell, an item with modifiers in rows of their own, and a sold-out item. Without a name, prints the header, or with --example the example, to standard output.',
  danger: 'write',
  answer: templateFields('menu'),
  positionals: [templateFile('menu')],
  flags: templateFlags('menu'),
  examples: [
    'dray business catalog template menu.csv',
    'dray business catalog template --example | dray business catalog import - --dry-run',
  ],
  run: (cli, args) => writeTemplate(cli, args, TEMPLATE),
})
