import type { ImportReport } from './report.ts'

/** The sentences of the report of an import, for the command line and for the dashboard. */
export interface ImportSummary {
  readonly file: string
  /** Text that lists the ignored columns. Undefined if the format knows all columns. */
  readonly ignored: string | undefined
  readonly products: string
  /** Text with the number of problems that are not listed. Undefined if all problems are listed. */
  readonly more: string | undefined
  /** Text with the number of notes that are not listed. Undefined if all notes are listed. */
  readonly moreNotes: string | undefined
}

const delimiterNames: Readonly<Record<string, string>> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs' }

export function summaryOf(report: ImportReport, isDryRun: boolean): ImportSummary {
  const {
    format,
    encoding,
    delimiter,
    lines,
    ignored,
    created,
    existing,
    failed,
    problemCount,
    problems,
    noteCount,
    notes,
  } = report
  const unlisted = problemCount - problems.length
  const unlistedNotes = noteCount - notes.length
  const verb = isDryRun ? 'would be created' : 'created'
  return {
    file: `Columns of ${format}, in ${encoding}, separated by ${delimiterNames[delimiter] ?? delimiter}. Lines: ${shown(lines)}.`,
    ignored: ignored.length === 0 ? undefined : `Ignored columns: ${ignored.join(', ')}.`,
    products: `Products: ${shown(created)} ${verb}, ${shown(existing)} ${existing === 1 ? 'exists' : 'exist'} already, ${shown(failed)} ${failed === 1 ? 'has' : 'have'} problems.`,
    more:
      unlisted === 0
        ? undefined
        : `${unlisted === 1 ? '1 more problem is' : `${shown(unlisted)} more problems are`} not listed.`,
    moreNotes:
      unlistedNotes === 0
        ? undefined
        : `${unlistedNotes === 1 ? '1 more note is' : `${shown(unlistedNotes)} more notes are`} not listed.`,
  }
}

function shown(value: number): string {
  return value.toLocaleString('en-NG')
}
