/** Thrown inside a mutation that turns out to change nothing, so that it leaves no audit row. */
export class Unchanged extends Error {
  readonly reason: string
  /** What it is about, for whoever has to look into it. */
  readonly ids: Readonly<Record<string, string>>

  constructor(reason = 'no_news', ids: Readonly<Record<string, string>> = {}) {
    super(`Nothing changes: ${reason}.`)
    this.reason = reason
    this.ids = ids
  }
}
