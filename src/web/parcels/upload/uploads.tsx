import { useRef, useState } from 'preact/hooks'
import { UploadDialog } from './dialog.tsx'
import { UploadButton } from './drop.tsx'

type Props = { isFree: boolean; onSent: () => void }

/** The way of files to their parcels. */
export function Uploads({ isFree, onSent }: Props) {
  const { upload, input, take, leave, another } = useUpload()
  return (
    <>
      <UploadButton input={input} isFree={isFree && upload === undefined} onFile={take} />
      {upload !== undefined && (
        <UploadDialog
          key={upload.id}
          file={upload.file}
          onClose={leave}
          onAnother={another}
          onSent={onSent}
        />
      )}
    </>
  )
}

/** The file that is looked at; each has a dialog of its own. */
function useUpload() {
  const [upload, setUpload] = useState<{ file: File; id: number }>()
  const count = useRef(0)
  const input = useRef<HTMLInputElement>(null)
  const take = (file: File): void => setUpload({ file, id: ++count.current })
  const leave = (): void => setUpload(undefined)
  const another = (): void => {
    leave()
    input.current?.click()
  }
  return { upload, input, take, leave, another }
}
