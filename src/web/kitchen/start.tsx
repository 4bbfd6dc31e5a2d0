/** Sound, which most browsers allow only after a tap, and a screen that stays on. */
import { useEffect, useState } from 'preact/hooks'
import { allowChime, chime, keepAwake, silence, waitForSound } from '../core/chime.ts'
import { Dialog } from '../core/dialog.tsx'

/** `asking` until somebody has tapped once, where the browser wants that. */
export type SoundState = 'asking' | 'on' | 'off'

export type WallSound = { state: SoundState; turnOn(): Promise<void>; turnOff(): void }

export function useSound(): WallSound {
  const [state, setState] = useState<SoundState>('asking')
  useEffect(() => waitForSound(() => setState((before) => (before === 'asking' ? 'on' : before))), [])
  useEffect(() => (state === 'on' ? keepAwake() : undefined), [state])
  return {
    state,
    async turnOn() {
      setState('on')
      await allowChime()
      chime('news')
    },
    turnOff() {
      silence()
      setState('off')
    },
  }
}

/** Asks for the one tap that allows sound. */
export function StartDialog({ sound }: { sound: WallSound }) {
  return (
    <Dialog title="Start the wall" onClose={sound.turnOff}>
      <p class="soft">A browser makes no sound before somebody taps once. The screen then stays on.</p>
      <div class="start">
        <button type="button" onClick={() => void sound.turnOn()}>
          Start with sound
        </button>
        <button type="button" class="quiet" onClick={sound.turnOff}>
          Without sound
        </button>
      </div>
    </Dialog>
  )
}
