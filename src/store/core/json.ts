/**
 * Returns a row as the record from which it was written. Kysely types jsonb, arrays and sums as `unknown` or `number`,
 * although the service wrote the rows and check constraints guard the unions. This is the only cast of a row. The
 * compiler checks the field names, and the tests validate every response against the OpenAPI document.
 */
export function asRecord<Record>(fields: { readonly [Field in keyof Record]: unknown }): Record {
  return fields as Record
}
