/** The columns of a file's headers: shown, and kept for the next file like it. */
import { AppError, EXIT } from '../../core/errors.ts'
import { listMappedColumns, toSavedMap } from '../../tabular/columns/mapping.ts'
import type { MappedFile } from '../../tabular/import/row-file.ts'
import type { CommandContext } from '../cli.ts'
import { isProfileName, PROFILE_NAME_RULE } from '../config-file.ts'
import { printResult } from '../print.ts'

export async function printMapping(cli: CommandContext, { mapping }: MappedFile): Promise<number> {
  await printResult(
    cli,
    { data: listMappedColumns(mapping), has_more: false, next_cursor: null },
    {
      columns: [
        { field: 'column' },
        { field: 'header' },
        { field: 'how', label: 'Found by' },
        { field: 'sample', label: 'First value' },
      ],
      list: true,
    },
  )
  return EXIT.ok
}

export function assertMapName(name: string): void {
  if (!isProfileName(name)) {
    const shown = JSON.stringify(name.slice(0, 60))
    throw new AppError('usage', `--save-map: ${shown} is not a map name: ${PROFILE_NAME_RULE}.`)
  }
}

/** Saves the columns of a file under a name. */
export async function saveMap(cli: CommandContext, file: MappedFile, name: string): Promise<void> {
  const { updateConfig } = await import('../config.ts')
  const map = toSavedMap(file.mapping, file)
  await updateConfig(cli.runtime, (config) => {
    config.maps = { ...config.maps, [name]: map }
  })
  await cli.say(`Saved the column map as ${name}: it is used for files with the same headers.`)
}
