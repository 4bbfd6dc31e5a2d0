/** Reads back what was printed: bar codes of pictures, words and pages of PDFs, and what a label printer makes of ZPL. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type * as Zpl from 'zpl-renderer-js'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { installProgram } from './debian.ts'

const execute = promisify(execFile)

const require = createRequire(import.meta.url)
// Its other form names a source map that is not there.
const { ready } = require('zpl-renderer-js') as typeof Zpl
const wasm = require.resolve('zxing-wasm/reader/zxing_reader.wasm')
prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(readFileSync(wasm)).buffer } })

/** Returns the texts of all bar codes of a picture by their kinds. */
export async function readCodes(png: Uint8Array): Promise<Record<string, string>> {
  const codes = await readBarcodes(png)
  return Object.fromEntries(codes.map(({ format, text }) => [format, text]))
}

/** Prints the first label of ZPL on a label printer with 8 dots in a millimetre. */
export async function printZpl(zpl: Uint8Array): Promise<Uint8Array> {
  const { api } = await ready
  const [label = ''] = Buffer.from(zpl)
    .toString()
    .split(/(?<=\^XZ)/)
  return Buffer.from(await api.zplToBase64Async(label, 101.6, 152.4, 8), 'base64')
}

async function withPdf<T>(pdf: Uint8Array, use: (path: string, folder: string) => Promise<T>): Promise<T> {
  await installProgram('pdftoppm', 'poppler-utils')
  const folder = mkdtempSync(join(tmpdir(), 'dray-pdf-'))
  try {
    const path = join(folder, 'paper.pdf')
    writeFileSync(path, pdf)
    return await use(path, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns a page of a PDF as a picture with 200 dots in an inch. */
export function printPdf(pdf: Uint8Array, page = 1): Promise<Uint8Array> {
  return withPdf(pdf, async (path, folder) => {
    const name = join(folder, 'page')
    await execute('pdftoppm', [
      '-r',
      '200',
      '-f',
      `${page}`,
      '-l',
      `${page}`,
      '-singlefile',
      '-png',
      path,
      name,
    ])
    return readFileSync(`${name}.png`)
  })
}

/** Returns the text of each page of a PDF. */
export function readPdf(pdf: Uint8Array): Promise<string[]> {
  return withPdf(pdf, async (path) => {
    const { stdout } = await execute('pdftotext', ['-layout', path, '-'])
    return stdout.split('\f').slice(0, -1)
  })
}
