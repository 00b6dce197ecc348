import type { Outcome } from './conform.ts'
import { checks, type Ledger, type Violation } from './ledger.ts'
import type { Unmet } from './unmet.ts'
import { unseenIn, untriedIn, type Verdict, verdictOf } from './verdict.ts'

/** The outcome for people: each violation with its request, then what was checked of each operation. */
export function reportOf(outcome: Outcome, seed: number, verdict = verdictOf(outcome, false)): string {
  const { ledger, requests, seconds, stopped, tokens } = outcome
  return [
    ...ledger.violations.map(violationText),
    tableOf(ledger),
    '',
    ...unmetLines(outcome.unmet),
    ...undeclaredLines(ledger),
    ...unansweredLines(ledger),
    ...untriedLines(tokens),
    ...(stopped === undefined ? [] : [`It was stopped before everything was checked. ${stopped}`]),
    `${requests} requests in ${seconds.toFixed(1)} s with seed ${seed}: ${summaryOf(verdict, ledger)}`,
  ].join('\n')
}

/** The last line is what is read first: it must not say that all is well where nothing could be told. */
function summaryOf(verdict: Verdict, { violations }: Ledger): string {
  switch (verdict.is) {
    case 'kept':
      return 'no violation.'
    case 'violated':
      return `${violations.length} violation(s).`
    case 'stopped':
      return 'it was stopped too early to say.'
    case 'untried':
      return `nothing can be said of ${verdict.operations.length} operation(s), which were never asked.`
    case 'unseen':
      return `${verdict.operations.length} operation(s) were never seen succeeding; --allow-unseen accepts that.`
  }
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
function unansweredLines(ledger: Ledger): string[] {
  const untried = untriedIn(ledger)
  const never = unseenIn(ledger).filter((id) => !untried.includes(id))
  const refused = [...ledger.operations].filter(([, tested]) => tested.refusedThoughValid > 0)
  const times = refused.map(([id, tested]) => `${id} ${tested.refusedThoughValid}`)
  return [
    ...(untried.length > 0
      ? [`Never asked, for want of any record to name: ${untried.join(', ')}. A list tells of records.`]
      : []),
    ...(never.length > 0
      ? [`Never seen succeeding, for want of a record it fits or because nothing does: ${never.join(', ')}.`]
      : []),
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

/** Errors nobody met may be there or not: of them the run says nothing. */
function unmetLines(unmet: readonly Unmet[]): string[] {
  const byCode = Map.groupBy(unmet, ({ code }) => code)
  const lines = [...byCode].map(([code, each]) => `  ${code}: ${operationsOf(each)}`)
  return lines.length === 0 ? [] : ['Declared, and never met:', ...lines, '']
}

/** More than these are a whole interface’s, and no list to read. */
const namedMax = 12

function operationsOf(unmet: readonly Unmet[]): string {
  return unmet.length > namedMax ? `${unmet.length} operations` : unmet.map(({ operation }) => operation).join(', ')
}

function undeclaredLines({ undeclared }: Ledger): string[] {
  if (undeclared.size === 0) return []
  return ['Warning: answered, and not in the document:', ...[...undeclared].map((each) => `  ${each}`), '']
}
