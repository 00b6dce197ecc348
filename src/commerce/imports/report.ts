import { importProblemsMax } from '../../../registry/values/limits.ts'
import type { ImportProblem } from './problem.ts'

/** The result of an import or of its dry run, so far. */
export interface ImportReport {
  readonly format: string
  readonly encoding: string
  readonly delimiter: string
  /** Columns that the format does not know. */
  readonly ignored: readonly string[]
  /** The number of lines that are read, with the header. */
  readonly lines: number
  /** The number of products that were created, or that the import would create. */
  readonly created: number
  /** The number of products that exist already, which are left out. */
  readonly existing: number
  /** The number of products that have problems, which are left out. */
  readonly failed: number
  /** The number of all problems. */
  readonly problemCount: number
  /** The first problems. */
  readonly problems: readonly ImportProblem[]
  /** The first products that were created, or that the import would create. */
  readonly products: readonly ImportedProduct[]
}

export interface ImportedProduct {
  readonly line: number
  readonly title: string
  readonly variants: number
}

/** Number of products that a report lists, as many as a person compares with the file. */
const productsMax = 20

export function newReport(file: Pick<ImportReport, 'format' | 'encoding' | 'delimiter' | 'ignored'>): ImportReport {
  return { ...file, lines: 1, created: 0, existing: 0, failed: 0, problemCount: 0, problems: [], products: [] }
}

export type ProductResult =
  | { readonly is: 'created'; readonly product: ImportedProduct }
  | { readonly is: 'existing' }
  | { readonly is: 'failed'; readonly problems: readonly ImportProblem[] }

export function addResult(report: ImportReport, result: ProductResult): ImportReport {
  switch (result.is) {
    case 'created': {
      const { products } = report
      const listed = products.length < productsMax ? [...products, result.product] : products
      return { ...report, created: report.created + 1, products: listed }
    }
    case 'existing':
      return { ...report, existing: report.existing + 1 }
    case 'failed': {
      const { problems, problemCount } = report
      return {
        ...report,
        failed: report.failed + 1,
        problemCount: problemCount + result.problems.length,
        problems: [...problems, ...result.problems.slice(0, importProblemsMax - problems.length)],
      }
    }
  }
}
