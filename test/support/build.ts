import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'

const root = join(import.meta.dirname, '../..')
/** What the build reads besides `src/`. */
const INPUTS = ['package.json', 'package-lock.json', 'rolldown.config.ts']

/** Makes `dist/` what the sources say now: builds it when it is missing or older. Throws with what the build said. */
export async function ensureBuilt(): Promise<void> {
  const built = modifiedAt(join(root, 'dist/main.js'))
  const newest = Math.max(...[...listSources(), ...INPUTS].map((path) => modifiedAt(join(root, path))))
  if (built > newest) return
  await execa('npm', ['run', 'build'], { cwd: root, all: true })
}

/** Without `src/generated`, which the build itself writes. */
function listSources(): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length))
    .filter((path) => !path.includes('generated'))
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
