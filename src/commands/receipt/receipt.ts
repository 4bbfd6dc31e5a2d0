/** The bill of what was bought: below its facts on a terminal, and as a file with --receipt. */
import { extname } from 'node:path'
import type { CommandContext } from '../../cli/cli.ts'
import type { Flag } from '../../cli/command.ts'
import {
  assertOutputPath,
  FORCE_FLAG,
  type OutputFile,
  type WriteTarget,
  writeOutputFile,
} from '../../cli/files/write.ts'
import { billText } from '../../cli/output/bill.ts'
import { isInteractiveTable, renderOptionsOf } from '../../cli/output/render-options-of.ts'
import { sanitizeForTerminal } from '../../cli/output/text.ts'
import { printResult, printNextStep } from '../../cli/print.ts'
import { AppError } from '../../core/errors.ts'
import type { Column } from '../../core/operation.ts'
import { type AnyPresenter, type Receipt, receiptOf, type PresentableResource } from '../../core/presenter.ts'
import { FILE_SIGNATURES } from '../../rendering/marks.ts'
import { PAGE_FILE } from '../report/print.ts'

export const RECEIPT_FLAG = {
  flag: 'receipt',
  kind: 'text',
  value: 'FILE',
  fileAccess: 'write',
  description: 'also write its receipt: a file named .pdf or .html',
} as const satisfies Flag

export const RECEIPT_FLAGS = [RECEIPT_FLAG, FORCE_FLAG] as const satisfies readonly Flag[]

/** The file that was requested. */
export type ReceiptOutput = { target: WriteTarget; isPdf: boolean }

const PDF_FILE: OutputFile = { name: 'receipt', isOurs: (start) => start.includes(FILE_SIGNATURES.pdf) }

type ReceiptArgs = {
  receipt?: string | undefined
  force?: boolean | undefined
  save?: string | undefined
  ics?: string | undefined
}

/** The other flags that write a file, which --force is for, too. */
const OTHER_FILES = ['save', 'ics'] as const

/** Reads the flags before anything is sent. Throws AppError('usage' | 'file_error'). */
export function readReceiptOutput(given: ReceiptArgs): ReceiptOutput | undefined {
  const { receipt: path, force = false } = given
  if (path === undefined) {
    if (!force || OTHER_FILES.some((flag) => given[flag] !== undefined)) return undefined
    const flags = [...OTHER_FILES.filter((flag) => flag in given), 'receipt'].map((flag) => `--${flag}`)
    throw new AppError('usage', `--force requires ${flags.join(' or ')}.`)
  }
  const isPdf = /^\.pdf$/i.test(extname(path))
  if (!isPdf && !/^\.html?$/i.test(extname(path)))
    throw new AppError('usage', `--receipt ${path} does not end with .pdf or .html.`, {
      hint: 'The ending says which file is written, such as --receipt receipt.pdf.',
    })
  const target = { path, file: isPdf ? PDF_FILE : { ...PAGE_FILE, name: 'receipt' }, force }
  assertOutputPath(target)
  return { target, isPdf }
}

/** The fields that the bill shows in full. */
const PRICES: ReadonlySet<string> = new Set([
  'lines',
  'subtotal',
  'fees_total',
  'discount_total',
  'total',
  'charged',
  'price',
  'fare',
  'receipt.charged',
])

type ReceiptPresentation = {
  story: AnyPresenter
  columns: readonly Column[]
  next: string | undefined
  wish: ReceiptOutput | undefined
  /** Sentences for people below the bill. */
  notes?: readonly string[]
}

/**
 * Prints a resource. People at a terminal get its bill below the other facts, in place of the fields of its price.
 * Writes the receipt where a file was requested. Throws AppError('usage') where another resource is paid instead.
 */
export async function printWithReceipt(
  cli: CommandContext,
  resource: PresentableResource,
  { story, columns, next, wish, notes = [] }: ReceiptPresentation,
): Promise<void> {
  const receipt = receiptOf(story, resource)
  if (wish !== undefined && receipt === null)
    throw new AppError('usage', `${story.name(resource)} is paid with its order and has no receipt.`, {
      hint: '`dray food show ORDER --receipt FILE` writes the receipt of the order.',
    })
  const showsBill = receipt !== null && isInteractiveTable(cli)
  await printResult(cli, resource, {
    columns: showsBill ? columns.filter(({ field }) => !PRICES.has(field)) : columns,
  })
  if (showsBill) {
    const bill = billText(receipt, renderOptionsOf(cli, 'stdout'))
    await cli.io.stdout.write(`\n${[bill, ...notes.map((note) => sanitizeForTerminal(note))].join('\n')}\n`)
  }
  if (wish !== undefined && receipt !== null) await writeReceipt(cli, receipt, wish, story.name(resource))
  if (next !== undefined) await printNextStep(cli, resource, next)
}

async function writeReceipt(
  cli: CommandContext,
  receipt: Receipt,
  { target, isPdf }: ReceiptOutput,
  name: string,
): Promise<void> {
  const { receiptReport } = await import('./report.ts')
  const report = receiptReport(receipt, name)
  const { pid } = cli.runtime
  if (isPdf) {
    const { renderDocument } = await import('../../rendering/render.ts')
    const { reportDrawing } = await import('./paper.ts')
    const { bytes, missing } = await renderDocument(reportDrawing(report), { format: 'pdf', dpi: 300 })
    await writeOutputFile(target, pid, async (keep) => keep(bytes))
    if (missing.length > 0) await cli.say(`warning: No installed font has ${missing.join(' ')}.`)
  } else await writeOutputFile(target, pid, (await import('../report/page.ts')).renderReportPage(report))
  await cli.say(`Wrote ${target.path}.`)
}
