import { z } from 'zod'
import { instant, named, timestamp } from '../values/vocabulary.ts'

export const Window = named(
  'TimeWindow',
  z
    .strictObject({ from: instant('Start of the time window.'), to: instant('End of the time window.') })
    .meta({ description: 'Time window of at least ten minutes.' }),
)

/** Time window in a response. `Window` is the time window in a request. */
export const QuotedWindow = named(
  'QuotedWindow',
  z
    .object({ from: timestamp('Start of the time window.'), to: timestamp('End of the time window.') })
    .meta({ description: 'Time window of at least ten minutes.' }),
)

const tenMinutesMs = 10 * 60_000

interface Windows {
  readonly pickupWindow?: z.output<typeof Window> | undefined
  readonly dropoffWindow?: z.output<typeof Window> | undefined
}

/**
 * Checks the carriers' rules for time windows: each window lasts at least ten minutes, and the dropoff window does not
 * end before the pickup window ends.
 */
export function refuseBadWindows({ pickupWindow, dropoffWindow }: Windows, context: z.core.$RefinementCtx): void {
  const fault = (path: string[], message: string) =>
    context.addIssue({ code: 'custom', path, message, params: { problem: 'invalid_value' } })
  for (const [name, window] of Object.entries({ pickupWindow, dropoffWindow })) {
    if (window === undefined) continue
    const lengthMs = Date.parse(window.to) - Date.parse(window.from)
    if (lengthMs < tenMinutesMs) fault([name, 'to'], 'Must be at least ten minutes after `from`.')
  }
  if (pickupWindow === undefined || dropoffWindow === undefined) return
  if (Date.parse(dropoffWindow.to) < Date.parse(pickupWindow.to)) {
    fault(['dropoffWindow', 'to'], 'Must not be before the end of `pickupWindow`.')
  }
}
