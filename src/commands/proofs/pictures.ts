/** The pictures of proofs: drawn where the terminal can, and saved on request. */
import type { Proof } from '../../areas/proofs/rules/proof.ts'
import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { FORCE_FLAG } from '../../cli/files/write.ts'
import type { PictureBytes } from '../../cli/pictures/media.ts'
import type { Client } from '../../client/client.ts'
import { renderPictures, protocolOf, SHOW_FLAG } from './draw.ts'
import type { EvidencePicture } from './save.ts'

export const PICTURE_FLAGS = [
  {
    flag: 'save',
    kind: 'text',
    value: 'DIR',
    fileAccess: 'make',
    description: 'save the photos of the proofs and SHA256SUMS in this folder',
  },
  FORCE_FLAG,
  SHOW_FLAG,
] as const satisfies readonly Flag[]

type ResourceWithProofs = { status: string; proofs: readonly (Proof | null)[] }

/** Throws AppError('file_error' | …). */
export async function presentPictures(
  cli: CommandContext,
  { save: folder, force = false, show }: FlagValues<typeof PICTURE_FLAGS>,
  client: Client,
  proven: ResourceWithProofs,
): Promise<void> {
  const protocol = protocolOf(cli, show)
  if (folder === undefined && protocol === undefined) return
  const pictures = picturesOf(proven.proofs)
  if (pictures.length === 0 && folder !== undefined)
    await cli.say(`No photos yet: the status is ${proven.status.replaceAll('_', ' ')}.`)
  if (pictures.length === 0) return
  const fetched = await (await import('../../cli/pictures/media.ts')).fetchMedia(client, pictures)
  const files =
    folder === undefined ? undefined : await savePictures(cli, folder, { pictures, fetched }, { force })
  if (protocol !== undefined) await renderPictures(cli, pictures, fetched, { protocol, files })
}

/** Returns the pictures of proofs, named by where they were taken. */
function picturesOf(proofs: ResourceWithProofs['proofs']): EvidencePicture[] {
  return proofs.flatMap((proof) =>
    (proof?.media ?? []).map((media) => ({
      requirement_id: proof?.waypoint ?? '',
      evidence_id: media.media_id,
      media,
    })),
  )
}

/** Writes pictures into a folder and reports them; returns the names of their files. Throws AppError('file_error'). */
export async function savePictures(
  cli: CommandContext,
  folder: string,
  { pictures, fetched }: { pictures: readonly EvidencePicture[]; fetched: PictureBytes },
  { force }: { force: boolean },
): Promise<Map<string, string>> {
  const { savedText, saveEvidence } = await import('./save.ts')
  const saved = await saveEvidence(folder, pictures, fetched, { force, pid: cli.runtime.pid })
  await cli.say(savedText(saved))
  return saved.files
}
