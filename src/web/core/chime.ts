/** Two tones, made by the browser. It makes none before the first click. */
let context: AudioContext | undefined

/** Lets the chime sound from now on. Call it while a click is handled. */
export async function allowChime(): Promise<void> {
  context ??= new AudioContext()
  await context.resume()
}

/** Lets it sound no more. */
export function silence(): void {
  void context?.suspend()
}

/** Sounds once: rising for news, three times low for what is urgent. */
export function chime(kind: 'news' | 'urgent'): void {
  if (context?.state !== 'running') return
  const tones = kind === 'news' ? [659, 880] : [523, 523, 523]
  tones.forEach((pitch, at) => tone(context as AudioContext, pitch, at * 0.22))
}

function tone(audio: AudioContext, pitch: number, after: number): void {
  const from = audio.currentTime + after
  const oscillator = audio.createOscillator()
  const volume = audio.createGain()
  oscillator.frequency.value = pitch
  volume.gain.setValueAtTime(0, from)
  volume.gain.linearRampToValueAtTime(0.25, from + 0.02)
  volume.gain.exponentialRampToValueAtTime(0.001, from + 0.5)
  oscillator.connect(volume).connect(audio.destination)
  oscillator.start(from)
  oscillator.stop(from + 0.5)
}

/** Keeps the screen on while the page is seen, where the browser can. */
export function keepAwake(): () => void {
  let lock: { release(): Promise<void> } | undefined
  const ask = (): void => {
    if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
    navigator.wakeLock.request('screen').then(
      (got) => (lock = got),
      () => {},
    )
  }
  ask()
  document.addEventListener('visibilitychange', ask)
  return () => {
    document.removeEventListener('visibilitychange', ask)
    void lock?.release()
  }
}
