import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'

const root = join(import.meta.dirname, '../..')
/** The inputs of the build besides `src/`. */
const INPUTS = ['package.json', 'package-lock.json', 'rolldown.config.ts']

/** Builds `dist/` when it is missing or older than the sources. Throws with the output of the build. */
export async function ensureBuilt(): Promise<void> {
  const built = modifiedAt(join(root, 'dist/main.js'))
  const newest = Math.max(...[...listSources(), ...INPUTS].map((path) => modifiedAt(join(root, path))))
  if (built > newest) return
  await execa('npm', ['run', 'build'], { cwd: root, all: true })
}

/** Lists the sources without `src/generated`, which the build itself writes. */
function listSources(): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length))
    .filter((path) => !path.includes('generated'))
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
