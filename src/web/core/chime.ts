/** Tones, made by the browser. Most browsers make none before the first click. */
let context: AudioContext | undefined

/** Calls `onAllowed` once the browser lets a page sound without a click. Returns a function that ends the wait. */
export function waitForSound(onAllowed: () => void): () => void {
  context ??= new AudioContext()
  const audio = context
  const look = (): void => {
    if (audio.state === 'running') onAllowed()
  }
  look()
  audio.addEventListener('statechange', look)
  return () => audio.removeEventListener('statechange', look)
}

/** Lets the chime sound from now on. Call it while a click is handled. */
export async function allowChime(): Promise<void> {
  context ??= new AudioContext()
  await context.resume()
}

/** Lets it sound no more. */
export function silence(): void {
  void context?.suspend()
}

/** The pitches in hertz, one after the other, and how long each sounds in seconds. */
const TONES = {
  news: { pitches: [659, 880], seconds: 0.5 },
  urgent: { pitches: [392, 392, 392], seconds: 0.5 },
  lost: { pitches: [220], seconds: 2 },
} as const

/** Sounds once: rising for news, three times low for what is urgent, long and low for a lost connection. */
export function chime(kind: keyof typeof TONES): void {
  if (context?.state !== 'running') return
  const { pitches, seconds } = TONES[kind]
  for (const [at, pitch] of pitches.entries()) tone(context, pitch, { after: at * 0.22, seconds })
}

function tone(
  audio: AudioContext,
  pitch: number,
  { after, seconds }: { after: number; seconds: number },
): void {
  const from = audio.currentTime + after
  const oscillator = audio.createOscillator()
  const volume = audio.createGain()
  oscillator.frequency.value = pitch
  volume.gain.setValueAtTime(0, from)
  volume.gain.linearRampToValueAtTime(0.25, from + 0.02)
  volume.gain.exponentialRampToValueAtTime(0.001, from + seconds)
  oscillator.connect(volume).connect(audio.destination)
  oscillator.start(from)
  oscillator.stop(from + seconds)
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
