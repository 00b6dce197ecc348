import { z } from 'zod'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import type { Draft, FieldProblem } from './draft.ts'
import { lagosTime } from './fields.ts'
import { textField } from './form.ts'
import { html, type Markup } from './markup.ts'

/** Times that members type, which are times in Lagos. */

/** Returns the time that a member typed; undefined if the text is no time. */
function parseLagosTime(text: string): Timestamp | undefined {
  const ms = Date.parse(lagosTime.safeParse(text).data ?? '')
  return Number.isNaN(ms) ? undefined : toTimestamp(ms)
}

/** Africa/Lagos is UTC+1 all year. */
const lagosOffsetMs = 60 * 60 * 1000

/** Returns a time as the value of a `datetime-local` field. */
export function typedLagosTime(at: Timestamp): string {
  return toTimestamp(toMs(at) + lagosOffsetMs).slice(0, 'YYYY-MM-DDThh:mm:ss'.length)
}

const timeMessage = 'Use a date and time, such as 2026-11-21T08:30.'

/** The field of a time in Lagos. */
export const typedTime = z.string({ error: timeMessage }).transform((text, context): Timestamp => {
  const at = parseLagosTime(text)
  if (at !== undefined) return at
  context.addIssue({ code: 'custom', message: timeMessage })
  return z.NEVER
})

interface TypedRange {
  readonly since?: string | undefined
  readonly until?: string | undefined
}

export interface TimeRange {
  readonly since: Timestamp | null
  readonly until: Timestamp | null
  readonly problems: readonly FieldProblem[]
}

/** Returns the time range of a filter. A text that is no time is a problem of its field. */
export function timeRangeOf({ since, until }: TypedRange): TimeRange {
  const from = since === undefined ? null : parseLagosTime(since)
  const to = until === undefined ? null : parseLagosTime(until)
  const problems = [
    ...(from === undefined ? [{ field: 'since', message: timeMessage }] : []),
    ...(to === undefined ? [{ field: 'until', message: timeMessage }] : []),
  ]
  return { since: from ?? null, until: to ?? null, problems }
}

/** Returns the two fields of a time range. */
export function timeRangeFields(draft: Draft): Markup {
  return html`${textField(draft, { name: 'since', label: 'Since (Lagos)', type: 'datetime-local' })}
${textField(draft, { name: 'until', label: 'Until (Lagos)', type: 'datetime-local' })}`
}
