/** `line` is null if the error concerns the whole file. */
export class BrokenCsv extends Error {
  readonly line: number | null
  constructor(line: number | null, message: string) {
    super(message)
    this.line = line
  }
}
