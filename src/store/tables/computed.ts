import type { ColumnType } from 'kysely'

/** A generated column: it can be read but not written. */
export type Computed<Value> = ColumnType<Value, never, never>
