/** Makes the story of a contradiction as short as it can be. */
import { type NextStep, type StoryStep, type StoryOutcome, type StorySetting, tellStory } from './story.ts'

/** A story is told again at most so often. */
const MAX_RETELLINGS = 25

/** Returns the shortest story found in which the same fact is told differently: each step is left out once, the last first. */
export async function shrinkStory(setting: StorySetting, found: StoryOutcome): Promise<StoryOutcome> {
  let shortest = found
  let told = 0
  for (let at = shortest.steps.length - 1; at >= 0 && told < MAX_RETELLINGS; at--) {
    // Steps after the contradiction were not told.
    const steps = shortest.steps.toSpliced(at, 1)
    told += 1
    const outcome = await tellStory({ ...setting, every: 1 }, replay(steps))
    if (!isSameFault(outcome, found)) continue
    shortest = outcome
    at = Math.min(at, shortest.steps.length)
  }
  return shortest
}

/** Returns what takes the steps of a story again. One about something that was not made is left out. */
function replay(steps: readonly StoryStep[]): NextStep {
  let at = 0
  return async () => steps[at++]
}

function isSameFault({ fault }: StoryOutcome, { fault: wanted }: StoryOutcome): boolean {
  if (fault === undefined || wanted === undefined) return false
  return fault.contradiction === undefined
    ? wanted.contradiction === undefined && fault.words === wanted.words
    : fault.contradiction.fact === wanted.contradiction?.fact
}
