import type { ColumnType } from 'kysely'

/** The type of a generated column, which can be read but not written. */
export type Computed<Value> = ColumnType<Value, never, never>
