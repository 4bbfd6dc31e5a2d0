/** Finds the bugs of a folder of `test/seeded-bugs/`: each is put into a copy of the sources, in which seeds are run. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { makeWorkFolder } from '../../support/work-folder.ts'
import { listPatches, plantPatch } from '../setting.ts'

const PATCHES = join(import.meta.dirname, '../../seeded-bugs')
/** The files of the repository that the seeds need. */
const PARTS = [
  'src',
  'test/simulate',
  'test/support',
  'test/adversarial',
  'package.json',
  'rolldown.config.ts',
]
/** A bug is looked for so long, in processor time. */
const MAX_SEARCH_MINUTES = 1
/** More seeds than are run in that time. */
const SEEDS = 1000

/** A kind of seeds: the word after `npm run simulate --`, which is also the folder of its bugs, and the end of its last line. */
type PlantedKind = { name: 'surfaces' | 'replacement' | 'money'; last: RegExp }

export const PLANTED_KINDS: Readonly<Record<PlantedKind['name'], PlantedKind>> = {
  surfaces: { name: 'surfaces', last: /contradictions$/m },
  replacement: { name: 'replacement', last: /silences$/m },
  money: { name: 'money', last: /limits passed$/m },
}

/** Looks for each planted bug of a kind, or those named, and prints the line by which it is found. Returns whether all are found. */
export async function findPlantedBugs(
  kind: PlantedKind,
  names: readonly string[],
  print: (line: string) => void,
): Promise<boolean> {
  const patches = join(PATCHES, kind.name)
  const { path: folder, remove } = makeWorkFolder()
  let areAllFound = true
  try {
    for (const name of listPatches(patches).filter((each) => names.length === 0 || names.includes(each))) {
      const begun = performance.now()
      const copy = join(folder, name)
      plantPatch(join(patches, `${name}.patch`), copy, PARTS)
      const found = await runUntilFound(kind, copy)
      areAllFound &&= found !== undefined
      const seconds = ((performance.now() - begun) / 1000).toFixed(1)
      print(`${name}: ${seconds} s  ${found?.slice(0, 240) ?? 'not found'}`)
    }
  } finally {
    remove()
  }
  return areAllFound
}

/** Runs seeds in a copy until one finds something. Returns the line that says so. */
function runUntilFound({ name, last }: PlantedKind, copy: string): Promise<string | undefined> {
  const main = join(copy, 'test/simulate/main.ts')
  const words = [main, name, '--until-found', '--seeds', `${SEEDS}`, '--minutes', `${MAX_SEARCH_MINUTES}`]
  return new Promise((resolve, reject) => {
    // The command exits 1 when it finds something.
    execFile(process.execPath, words, (_, stdout, stderr) => {
      if (!last.test(stdout)) reject(new Error(stderr))
      resolve(/^seed .*$/m.exec(stdout)?.[0])
    })
  })
}
