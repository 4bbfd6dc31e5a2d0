/** The ways of a file into the page: dropped anywhere, or chosen with the button. */
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

const KINDS = '.csv,.tsv,.txt,.xlsx,.xlsm'

type Props = {
  /** True if a file may come now; while one is looked at, another is let fall. */
  isFree: boolean
  onFile: (file: File) => void
  /** Opens the choice of a file by a click. */
  input: RefObject<HTMLInputElement | null>
}

export function UploadButton({ isFree, onFile, input }: Props) {
  const isOver = useDrop(isFree, onFile)
  return (
    <div class="upload">
      <button type="button" onClick={() => input.current?.click()}>
        Upload a file…
      </button>
      <span class="soft">or drop a CSV or Excel file anywhere on this page</span>
      <input
        ref={input}
        type="file"
        hidden
        accept={KINDS}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          // The same file can be chosen again.
          event.currentTarget.value = ''
          if (file !== undefined) onFile(file)
        }}
      />
      {isOver && (
        <div class="drop" aria-hidden="true">
          <p>Drop the file to check it</p>
        </div>
      )}
    </div>
  )
}

/** Takes what is dropped on the page, which a browser would otherwise open in its place. */
function useDrop(isFree: boolean, onFile: (file: File) => void): boolean {
  const [isOver, setOver] = useState(false)
  // An event may come before the effects of the last drawing.
  const now = useRef({ isFree, onFile })
  now.current = { isFree, onFile }
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files') !== true) return
      event.preventDefault()
      event.dataTransfer.dropEffect = now.current.isFree ? 'copy' : 'none'
      setOver(now.current.isFree)
    }
    // It comes for each element that is left; only the page itself is left for nothing.
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent): void => {
      const [file] = event.dataTransfer?.files ?? []
      if (file === undefined) return
      event.preventDefault()
      setOver(false)
      if (now.current.isFree) now.current.onFile(file)
    }
    addEventListener('dragover', over)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [])
  return isOver
}
