import type { Cells, Draft } from './draft.ts'

/** A supported file format: a set of columns from which products are read. */
export interface ImportFormat {
  readonly name: string
  /** The columns that a file must have to be recognised as a file of the format. */
  readonly signature: readonly string[]
  /** All columns that the format reads, in lower case. */
  readonly columns: ReadonlySet<string>
  readonly open: (of: Import) => DraftReader
}

export interface Import {
  /** The time of the import, which decides whether a product is on sale. */
  readonly nowMs: number
}

export interface DraftReader {
  /**
   * Reads a row of the file. Returns the product to which the row belongs, and the products that are complete after
   * this row.
   */
  readonly read: (cells: Cells) => { readonly current: Draft; readonly complete: readonly Draft[] }
  /** Called at the end of the file. Returns the products that were not yet complete. */
  readonly end: () => readonly Draft[]
}

export function columnSet(...columns: readonly string[]): ReadonlySet<string> {
  return new Set(columns.map((column) => column.toLowerCase()))
}
