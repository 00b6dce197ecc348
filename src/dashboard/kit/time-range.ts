import { z } from 'zod'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import { html, type Markup } from '../../markup/markup.ts'
import type { Draft, FieldProblem } from './draft.ts'
import { lagosTime } from './fields.ts'
import { textField } from './form.ts'

function parseLagosTime(text: string): Timestamp | undefined {
  const ms = Date.parse(lagosTime.safeParse(text).data ?? '')
  return Number.isNaN(ms) ? undefined : toTimestamp(ms)
}

/** Africa/Lagos is UTC+1 all year. */
const lagosOffsetMs = 60 * 60 * 1000

/** Returns a time, without its seconds, as the value of a `datetime-local` field. */
export function typedLagosTime(at: Timestamp): string {
  return toTimestamp(toMs(at) + lagosOffsetMs).slice(0, 'YYYY-MM-DDThh:mm'.length)
}

const timeMessage = 'Enter a date and a time, such as 2026-11-21T08:30.'

/** Members enter this time in Lagos time. */
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

/** Text that is not a time is reported as a problem of its field. */
export function timeRangeOf({ since, until }: TypedRange): TimeRange {
  const from = since === undefined ? null : parseLagosTime(since)
  const to = until === undefined ? null : parseLagosTime(until)
  const problems = [
    ...(from === undefined ? [{ field: 'since', message: timeMessage }] : []),
    ...(to === undefined ? [{ field: 'until', message: timeMessage }] : []),
  ]
  return { since: from ?? null, until: to ?? null, problems }
}

export function timeRangeFields(draft: Draft): Markup {
  return html`${textField(draft, { name: 'since', label: 'Since (Lagos)', type: 'datetime-local' })}
${textField(draft, { name: 'until', label: 'Until (Lagos)', type: 'datetime-local' })}`
}
