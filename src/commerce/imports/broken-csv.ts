/** The file is not a CSV file that can be read. The line is null if the whole file is meant. */
export class BrokenCsv extends Error {
  readonly line: number | null
  constructor(line: number | null, message: string) {
    super(message)
    this.line = line
  }
}
