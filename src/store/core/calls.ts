import type { Database, LockTrx, ReadDb, SearchDb, WriteTrx } from './database.ts'
import { type Change, locking, type Query, reading, type SearchQuery, searching, writing } from './statement.ts'

/**
 * Each helper below declares a function that runs one statement and does nothing else. The types of the arguments and
 * of the result of the function are derived from the statement, so neither is written a second time.
 */

/** Reads the first row; undefined when no row matches. */
export function finding<Args extends object>() {
  return <Row>(label: string, query: Query<Args, Row>) => {
    const statement = reading<Args>()(label, query)
    return async (db: ReadDb, args: Args): Promise<Row | undefined> => (await db.read(statement, args))[0]
  }
}

export function listing<Args extends object>() {
  return <Row>(label: string, query: Query<Args, Row>) => {
    const statement = reading<Args>()(label, query)
    return (db: ReadDb, args: Args): Promise<readonly Row[]> => db.read(statement, args)
  }
}

/**
 * Declares a function that reads rows of all merchants. The rows on a database node that does not respond are left out.
 */
export function searchingAll<Args extends object>() {
  return <Row>(label: string, query: SearchQuery<Args, Row>) => {
    const statement = searching<Args>()(label, query)
    return (db: SearchDb, args: Args): Promise<readonly Row[]> => db.search(statement, args)
  }
}

/** Reports whether a row matches. */
export function checking<Args extends object>() {
  return <Row>(label: string, query: Query<Args, Row>) => {
    const list = listing<Args>()(label, query)
    return async (db: ReadDb, args: Args): Promise<boolean> => (await list(db, args)).length > 0
  }
}

export function lockingAll<Args extends object>() {
  return <Row>(label: string, query: Query<Args, Row>) => {
    const statement = locking<Args>()(label, query)
    return (trx: LockTrx, args: Args): Promise<readonly Row[]> => trx.lock(statement, args)
  }
}

export function lockingFirst<Args extends object>() {
  return <Row>(label: string, query: Query<Args, Row>) => {
    const lock = lockingAll<Args>()(label, query)
    return async (trx: LockTrx, args: Args): Promise<Row | undefined> => (await lock(trx, args))[0]
  }
}

/** Queues a write in the transaction. */
export function queueing<Args extends object>() {
  return <Row>(label: string, query: Change<Args, Row>) => {
    const statement = writing<Args>()(label, query)
    return (trx: WriteTrx, args: Args): void => trx.queue(statement, args)
  }
}

export function writingAll<Args extends object>() {
  return <Row>(label: string, query: Change<Args, Row>) => {
    const statement = writing<Args>()(label, query)
    return (trx: WriteTrx, args: Args): Promise<readonly Row[]> => trx.write(statement, args)
  }
}

/** Writes in the transaction. Reports whether `returning` returned a row. */
export function writingAny<Args extends object>() {
  return <Row>(label: string, query: Change<Args, Row>) => {
    const write = writingAll<Args>()(label, query)
    return async (trx: WriteTrx, args: Args): Promise<boolean> => (await write(trx, args)).length > 0
  }
}

/** Writes outside a transaction. Returns the first row of `returning`. */
export function runningFirst<Args extends object>() {
  return <Row>(label: string, query: Change<Args, Row>) => {
    const statement = writing<Args>()(label, query)
    return async (database: Database, args: Args): Promise<Row | undefined> => (await database.run(statement, args))[0]
  }
}

/** Declares a function that writes outside a transaction, for bookkeeping that changes no record of a merchant. */
export function running<Args extends object>() {
  return <Row>(label: string, query: Change<Args, Row>) => {
    const run = runningFirst<Args>()(label, query)
    return async (database: Database, args: Args): Promise<void> => void (await run(database, args))
  }
}

/** Writes outside a transaction. Reports whether `returning` returned a row. */
export function runningAny<Args extends object>() {
  return <Row>(label: string, query: Change<Args, Row>) => {
    const run = runningFirst<Args>()(label, query)
    return async (database: Database, args: Args): Promise<boolean> => (await run(database, args)) !== undefined
  }
}
