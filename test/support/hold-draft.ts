/** A program that begins a copy in a folder and then waits until it is killed: `hold-draft.ts <folder>`. Prints its path. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { reserveTempFile } from '../../src/db/temp-files.ts'

const draft = reserveTempFile(process.argv[2] ?? '', (count) => randomBytes(count))
for (const ending of ['', '-wal', '-shm', '-journal']) writeFileSync(draft.path + ending, 'half a copy')
process.stdout.write(`${draft.path}\n`)
setInterval(() => undefined, 60_000)
