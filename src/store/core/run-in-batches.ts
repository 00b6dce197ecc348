import type { Database } from './database.ts'
import type { WriteStatement } from './statement.ts'

interface Batches<Args, Row> {
  /** A statement that affects at most `size` rows and returns each row that it affected. */
  readonly statement: WriteStatement<Args, Row>
  readonly args: Args
  readonly size: number
}

/**
 * Runs a statement with a limit, again and again until it affects fewer rows than the limit. Each run is short and
 * locks few rows. Returns the number of affected rows. This function is only for bookkeeping across merchants, for
 * which no audit row is written.
 */
export async function runInBatches<Args, Row>(
  database: Database,
  { statement, args, size }: Batches<Args, Row>,
): Promise<number> {
  let total = 0
  for (;;) {
    const affected = (await database.run(statement, args)).length
    total += affected
    if (affected < size) return total
  }
}
