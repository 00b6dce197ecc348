import { type Kysely, sql } from 'kysely'

/**
 * Runs a statement of a .concurrent migration so that it can be repeated. The statement is not part of a transaction.
 * An interrupted index build therefore leaves an invalid index. If the process ends after the build, the index is valid
 * but the migration is not recorded. A valid index is therefore not built again, and an invalid index is dropped before
 * the build.
 */
export async function runConcurrentStatement(db: Kysely<unknown>, statement: string): Promise<void> {
  const index = createdIndex.exec(statement.replaceAll(comments, ''))?.[1]
  if (index === undefined) {
    await sql.raw(statement.replace(droppedIndex, 'drop index concurrently if exists ')).execute(db)
    return
  }
  const isValid = await findValidity(db, index)
  if (isValid === true) return
  if (isValid === false) await sql.raw(`drop index concurrently if exists ${index}`).execute(db)
  await sql.raw(statement).execute(db)
}

const comments = /--.*/g
const createdIndex = /^\s*create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?([\w".]+)/i
const droppedIndex = /\bdrop\s+index\s+concurrently\s+(?:if\s+exists\s+)?/i

/** Undefined when the index does not exist. */
async function findValidity(db: Kysely<unknown>, index: string): Promise<boolean | undefined> {
  const query = sql<{ isValid: boolean }>`
    select indisvalid as "isValid"
    from pg_index
    where indexrelid = to_regclass(${index})`
  const { rows } = await query.execute(db)
  return rows[0]?.isValid
}
