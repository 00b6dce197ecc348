import type { Outcome } from './conform.ts'
import { checks, type Ledger, type Violation } from './ledger.ts'
import type { UnobservedError } from './unobserved-errors.ts'
import { unseenIn, untriedIn, type Verdict, verdictOf } from './verdict.ts'

/**
 * Returns the outcome of the run as text: each violation with its request, then a table of the checks of each
 * operation.
 */
export function reportOf(outcome: Outcome, seed: number, verdict = verdictOf(outcome, false)): string {
  const { ledger, requests, seconds, stopped, tokens } = outcome
  return [
    ...ledger.violations.map(violationText),
    tableOf(ledger),
    '',
    ...unobservedLines(outcome.unobserved),
    ...undeclaredLines(ledger),
    ...unsuccessfulLines(ledger),
    ...untriedLines(tokens),
    ...(stopped === undefined ? [] : [`The run stopped before every check completed. ${stopped}`]),
    `${requests} requests in ${seconds.toFixed(1)} s with seed ${seed}: ${summaryOf(verdict, ledger)}`,
  ].join('\n')
}

/**
 * The verdict is in the last line of the output, which people read first. It must not report success for an incomplete
 * run.
 */
function summaryOf(verdict: Verdict, { violations }: Ledger): string {
  switch (verdict.is) {
    case 'passed':
      return 'no violation.'
    case 'violated':
      return `${violations.length} violation(s).`
    case 'stopped':
      return 'the run stopped too early for a verdict.'
    case 'untried':
      return `${verdict.operations.length} operation(s) were never requested.`
    case 'unseen':
      return `${verdict.operations.length} operation(s) were never successful; --allow-unseen accepts that.`
  }
}

function violationText({ operation, check, reason, curl, status, responseText }: Violation): string {
  return `${operation} (${check}): ${reason}\n  ${curl}\n  response: ${status} ${responseText}\n`
}

/** Returns the table of checks. In it, `12 -3` means that 3 of 12 checks failed; a dot means that no check ran. */
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

/** Lists the operations without a successful request. The run checked only their error responses. */
function unsuccessfulLines(ledger: Ledger): string[] {
  const untried = untriedIn(ledger)
  const never = unseenIn(ledger).filter((id) => !untried.includes(id))
  const refused = [...ledger.operations].filter(([, tested]) => tested.rejectedThoughValid > 0)
  const times = refused.map(([id, tested]) => `${id} ${tested.rejectedThoughValid}`)
  return [
    ...(untried.length > 0
      ? [`Never requested for lack of a record: ${untried.join(', ')}. Include a list operation to find records.`]
      : []),
    ...(never.length > 0
      ? [`Never successful, for lack of a suitable record or because of a defect: ${never.join(', ')}.`]
      : []),
    ...(times.length > 0
      ? [`Valid requests rejected with validation_failed by a rule outside the schema (count): ${times.join(', ')}.`]
      : []),
  ]
}

/**
 * Lists the checks that were skipped because their token was missing. The table of results does not show these checks.
 */
function untriedLines(tokens: Outcome['tokens']): string[] {
  return [
    ...(tokens.includes('other-token') ? [] : ['Skipped without --other-token: isolation between merchants.']),
    ...(tokens.includes('narrow-token')
      ? []
      : ['Skipped without --narrow-token: rejection of a token without the required scope.']),
  ]
}

/** Lists the declared errors that no response contained. The run proves nothing about these errors. */
function unobservedLines(unobserved: readonly UnobservedError[]): string[] {
  const byCode = Map.groupBy(unobserved, ({ code }) => code)
  const lines = [...byCode].map(([code, each]) => `  ${code}: ${operationsOf(each)}`)
  return lines.length === 0 ? [] : ['Declared errors that no response contained:', ...lines, '']
}

/** Maximum number of operations in a printed list. If there are more, only their number is printed. */
const namedMax = 12

function operationsOf(unobserved: readonly UnobservedError[]): string {
  return unobserved.length > namedMax
    ? `${unobserved.length} operations`
    : unobserved.map(({ operation }) => operation).join(', ')
}

function undeclaredLines({ undeclared }: Ledger): string[] {
  if (undeclared.size === 0) return []
  return [
    'Warning: response members that the document does not declare:',
    ...[...undeclared].map((each) => `  ${each}`),
    '',
  ]
}
