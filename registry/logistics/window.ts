import { z } from 'zod'
import { instant, named, timestamp } from '../values/vocabulary.ts'

/** When something may be fetched or brought, as it is asked for. */
export const Window = named(
  'TimeWindow',
  z
    .strictObject({ from: instant('Not before.'), to: instant('Not after.') })
    .meta({ description: 'A stretch of time of at least ten minutes.' }),
)

/** The same as it is answered. */
export const QuotedWindow = named(
  'QuotedWindow',
  z
    .object({ from: timestamp('Not before.'), to: timestamp('Not after.') })
    .meta({ description: 'A stretch of time of at least ten minutes.' }),
)

const tenMinutesMs = 10 * 60_000

interface Windows {
  readonly pickupWindow?: z.output<typeof Window> | undefined
  readonly dropoffWindow?: z.output<typeof Window> | undefined
}

/** The rules carriers have for windows: wide enough to be kept, and in the order of things. */
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
    fault(['dropoffWindow', 'to'], 'Must not end before the pickup’s window does.')
  }
}
