import type { Outcome } from './conform.ts'
import { checks, type Ledger, type Tested, type Violation } from './ledger.ts'

/** The outcome for people: each violation with its request, then what was checked of each operation. */
export function reportOf({ ledger, requests, seconds, stopped, tokens }: Outcome, seed: number): string {
  const found = ledger.violations.length
  return [
    ...ledger.violations.map(violationText),
    tableOf(ledger),
    '',
    ...unansweredLines(ledger),
    ...untriedLines(tokens),
    ...(stopped === undefined ? [] : [`It was stopped before everything was checked. ${stopped}`]),
    `${requests} requests in ${seconds.toFixed(1)} s with seed ${seed}: ${found === 0 ? 'no violation' : `${found} violation(s)`}.`,
  ].join('\n')
}

function violationText({ operation, check, reason, curl, status, answer }: Violation): string {
  return `${operation} (${check}): ${reason}\n  ${curl}\n  answered ${status} ${answer}\n`
}

/** How many checks there were, and how many failed: `12`, or `12 -3`. A dot where there was none. */
function tableOf({ operations }: Ledger): string {
  const rows = [...operations].map(([id, tested]) => [
    id,
    ...checks.map((check) => cellOf(tested.checked[check], tested.violated[check])),
    Object.entries(tested.statuses)
      .map(([status, times]) => `${status}×${times}`)
      .join(' '),
  ])
  const table = [['operation', ...checks, 'answers'], ...rows]
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cellOf(checked: number | undefined, violated: number | undefined): string {
  if (checked === undefined) return '.'
  return violated === undefined ? String(checked) : `${checked} -${violated}`
}

/** What the run cannot say: an operation that never succeeded was only seen refusing. */
function unansweredLines({ operations }: Ledger): string[] {
  const never = [...operations].filter(([, tested]) => !hasSucceeded(tested)).map(([id]) => id)
  const refused = [...operations].filter(([, tested]) => tested.refusedThoughValid > 0)
  const times = refused.map(([id, tested]) => `${id} ${tested.refusedThoughValid}`)
  return [
    ...(never.length > 0 ? [`Never seen succeeding, for want of a record it fits: ${never.join(', ')}.`] : []),
    ...(times.length > 0 ? [`Refused by a rule that the schema cannot say, times: ${times.join(', ')}.`] : []),
  ]
}

/** What a run with one token alone cannot try; without a word the table would look as if it had been. */
function untriedLines(tokens: Outcome['tokens']): string[] {
  return [
    ...(tokens.includes('other-token')
      ? []
      : ['Not tried for want of --other-token: whether another merchant sees nothing of the first one’s.']),
    ...(tokens.includes('narrow-token')
      ? []
      : ['Not tried for want of --narrow-token: whether a token without the scope is refused.']),
  ]
}

export function hasSucceeded({ statuses }: Tested): boolean {
  return Object.keys(statuses).some((status) => status.startsWith('2'))
}
