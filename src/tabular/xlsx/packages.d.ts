/** The parts of two packages without types that workbooks need. */
declare module 'yauzl' {
  import type { Readable } from 'node:stream'

  export type Entry = { fileName: string; uncompressedSize: number; isEncrypted(): boolean }
  export type ZipFile = {
    entryCount: number
    eachEntry(): AsyncIterable<Entry>
    openReadStreamPromise(entry: Entry): Promise<Readable>
  }
  const yauzl: { fromBufferPromise(bytes: Buffer, options: { lazyEntries: true }): Promise<ZipFile> }
  export default yauzl
}

declare module 'saxen' {
  export class Parser {
    on(event: 'openTag', run: (name: string, attributes: () => Record<string, string>) => void): this
    on(event: 'closeTag', run: (name: string) => void): this
    on(event: 'text' | 'cdata', run: (text: string) => void): this
    on(event: 'error', run: (error: Error) => void): this
    parse(xml: string): void
  }
}
