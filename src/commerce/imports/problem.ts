/** A place in an imported file. The column is null if the place is the whole line. */
export interface Place {
  readonly line: number
  readonly column: string | null
}

/** A value of an imported file that violates a rule. Its product is not imported. */
export interface ImportProblem extends Place {
  readonly message: string
}
