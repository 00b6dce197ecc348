import type { ProductId } from '../../../registry/values/vocabulary.ts'
import type { ImportProblem } from './problem.ts'

/** The result of an import or of its dry run. While the import runs, the counts are those of the lines read so far. */
export interface ImportReport {
  readonly format: string
  readonly encoding: string
  readonly delimiter: string
  /** The columns of the file that are not imported, because the detected format does not know them. */
  readonly ignored: readonly string[]
  /** The number of lines of the file that have been read, including the header. */
  readonly lines: number
  /** The number of products that were created, or that the import would create. */
  readonly created: number
  /** The number of products that were not created, because they exist already. */
  readonly existing: number
  /** The number of products that were not created, because they have problems. */
  readonly failed: number
  /** The number of all problems in the file, including those that the report does not list. */
  readonly problemCount: number
  /** The first problems of the import, up to the maximum that a report lists. */
  readonly problems: readonly ImportProblem[]
  /** The number of values of the file that were not imported, or were imported with another meaning. */
  readonly noteCount: number
  /** The first notes, up to the maximum that a report lists. */
  readonly notes: readonly ImportProblem[]
  /** The first products that the import has created or, if it only checks the file, would create. */
  readonly products: readonly ImportedProduct[]
  /** The first products of the file that were not created, because they exist already. */
  readonly existingProducts: readonly ExistingProduct[]
}

export interface ImportedProduct {
  readonly line: number
  readonly title: string
  readonly variants: number
}

export interface ExistingProduct {
  readonly line: number
  readonly id: ProductId
}

export type ProductResult =
  | { readonly is: 'created'; readonly product: ImportedProduct; readonly notes: readonly ImportProblem[] }
  | { readonly is: 'existing'; readonly product: ExistingProduct }
  | { readonly is: 'failed'; readonly problems: readonly ImportProblem[] }

/** Maximum number of created products that a report lists, for a person who compares some of them with the file. */
const productsMax = 20

export interface OpenReport {
  readonly add: (results: readonly ProductResult[], lines: number) => void
  readonly current: () => ImportReport
}

/** The report counts all problems, notes and existing products, but lists at most `listedMax` of each. */
export function openReport(
  file: Pick<ImportReport, 'format' | 'encoding' | 'delimiter' | 'ignored'>,
  listedMax: number,
): OpenReport {
  const ignored = file.ignored.map(displayed)
  const counts = { lines: 1, created: 0, existing: 0, failed: 0, problemCount: 0, noteCount: 0 }
  const problems: ImportProblem[] = []
  const notes: ImportProblem[] = []
  const products: ImportedProduct[] = []
  const existingProducts: ExistingProduct[] = []
  const addOne = (result: ProductResult) => {
    counts[result.is] += 1
    switch (result.is) {
      case 'created':
        if (products.length < productsMax) products.push(result.product)
        counts.noteCount += result.notes.length
        addDisplayed(notes, result.notes, listedMax)
        break
      case 'existing':
        if (existingProducts.length < listedMax) existingProducts.push(result.product)
        break
      case 'failed':
        counts.problemCount += result.problems.length
        addDisplayed(problems, result.problems, listedMax)
    }
  }
  return {
    add: (results, lines) => {
      results.forEach(addOne)
      counts.lines = lines
    },
    current: () => ({ ...file, ignored, ...counts, problems, notes, products, existingProducts }),
  }
}

function addDisplayed(list: ImportProblem[], added: readonly ImportProblem[], listedMax: number): void {
  for (const problem of added) {
    if (list.length >= listedMax) return
    const { column, message } = problem
    list.push({ ...problem, column: column === null ? null : displayed(column), message: displayed(message) })
  }
}

/** Matches characters that would control a terminal, or reorder its text. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** Returns text of the imported file with control characters replaced, so that it can be shown on a terminal. */
function displayed(text: string): string {
  return text.replaceAll(controls, '\u{fffd}')
}
