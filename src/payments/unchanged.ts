/** Thrown inside a mutation that turns out to change nothing, so that it leaves no audit row. */
export class Unchanged extends Error {
  readonly reason: string

  constructor(reason = 'no_news') {
    super(`Nothing changes: ${reason}.`)
    this.reason = reason
  }
}
