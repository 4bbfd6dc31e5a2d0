/** Draws pictures on a terminal that can show them. */
import type { CommandContext } from '../../cli/cli.ts'
import type { Flag } from '../../cli/command.ts'
import { isInteractiveTable } from '../../cli/output/render-options-of.ts'
import { sanitizeForTerminal } from '../../cli/output/text.ts'
import type { PictureBytes } from '../../cli/pictures/media.ts'
import { pictureProtocol, pictureText, type Protocol, PROTOCOLS } from '../../cli/pictures/picture.ts'
import type { EvidencePicture } from './save.ts'

export const SHOW_FLAG = {
  flag: 'show',
  kind: 'enum',
  choices: ['auto', ...PROTOCOLS, 'never'],
  description: 'image protocol of the terminal. Default: detected',
} as const satisfies Flag

/** The way in which pictures are drawn; undefined where they are not. They stand below the table, where people read it. */
export function protocolOf(cli: CommandContext, wish = 'auto'): Protocol | undefined {
  if (wish === 'never' || !isInteractiveTable(cli) || cli.settings.accessible) return undefined
  return PROTOCOLS.find((each) => each === wish) ?? pictureProtocol(cli.io.stdout, cli.io.env)
}

/** Draws the fetched pictures, each under the name of its file when it has one. */
export async function renderPictures(
  cli: CommandContext,
  pictures: readonly EvidencePicture[],
  fetched: PictureBytes,
  { protocol, files }: { protocol: Protocol; files: ReadonlyMap<string, string> | undefined },
): Promise<void> {
  for (const { evidence_id, requirement_id, media } of pictures) {
    const bytes = media === null ? undefined : fetched.get(media.media_id)
    if (media === null || bytes === undefined) continue
    const name = files?.get(evidence_id) ?? media.url
    const picture = pictureText(bytes, protocol)
    await cli.io.stdout.write(
      `\n${sanitizeForTerminal(requirement_id)}: ${sanitizeForTerminal(name)}\n${picture ?? ''}`,
    )
  }
}
