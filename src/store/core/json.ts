/**
 * Rows hold what our own statements wrote, in columns whose checks keep the unions, but jsonb, arrays and sums come back as
 * `unknown` or `number`. This is the one place where such a row is taken for the record it was written from;
 * the field names are checked, and in tests every reply is validated against the document.
 */
export function asRecord<Record>(fields: { readonly [Field in keyof Record]: unknown }): Record {
  return fields as Record
}
