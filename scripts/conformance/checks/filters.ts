import type { Operation, Parameter } from '../document.ts'
import { pairOf } from '../make-request.ts'
import { isSuccess, observe, type Run } from '../observe.ts'
import type { Schemas } from '../schemas.ts'
import { checkArrayParameters } from './array-parameters.ts'
import { livingPath, rowsOf } from './pages.ts'

/** Checks that every row of a filtered list matches the filter, and that no matching row is missing. */
export async function checkFilters(run: Run): Promise<void> {
  for (const operation of run.operations) {
    await checkArrayParameters(run, operation)
    if (!operation.isList) continue
    const path = await livingPath(run, operation)
    if (path === undefined) continue
    const response = await observe(run, {
      operation,
      check: 'filters',
      request: { method: 'GET', path: `${path}?${large}`, as: 'token' },
    })
    const rows = rowsOf(response.body)
    for (const parameter of operation.parameters) {
      const filter = filterOf(run.schemas, parameter, rows)
      if (filter !== undefined) await checkFilter(run, { operation, path, filter })
    }
  }
}

const large = 'limit=100'

interface Filter {
  readonly pair: string
  readonly fits: (row: object) => boolean
}

async function checkFilter(
  run: Run,
  { operation, path, filter }: { operation: Operation; path: string; filter: Filter },
): Promise<void> {
  await observe(run, {
    operation,
    check: 'filters',
    request: { method: 'GET', path: `${path}?${large}&${filter.pair}`, as: 'token' },
    expect: (response) => {
      if (!isSuccess(response)) return [`The filter ${filter.pair} is rejected, although a row has this value.`]
      const rows = rowsOf(response.body)
      const other = rows.find((row) => !filter.fits(row))
      return [
        ...(other === undefined ? [] : [`${filter.pair} returns ${Reflect.get(other, 'id')}, which does not match.`]),
        ...(rows.length === 0 ? [`${filter.pair} returns no record, although a matching record exists.`] : []),
      ]
    },
  })
}

function filterOf(schemas: Schemas, parameter: Parameter, rows: readonly object[]): Filter | undefined {
  if (parameter.in !== 'query') return undefined
  return equalityOf(schemas, parameter, rows) ?? rangeOf(parameter, rows)
}

/**
 * Returns a filter for the rarest value in the rows, because a rare value shows best whether the service ignores the
 * filter.
 */
function equalityOf(schemas: Schemas, parameter: Parameter, rows: readonly object[]): Filter | undefined {
  const { name, schema } = parameter
  const isFitting = (value: unknown) =>
    ['string', 'number', 'boolean'].includes(typeof value) &&
    schemas.faultsOf(schema, schema.type === 'array' ? [value] : value).length === 0
  const values = rows.map((row): unknown => Reflect.get(row, name)).filter(isFitting)
  const timesOf = (value: unknown) => values.filter((each) => each === value).length
  const [value] = [...new Set(values)].sort((a, b) => timesOf(a) - timesOf(b))
  if (value === undefined) return undefined
  return { pair: pairOf(parameter, value), fits: (row) => isSame(Reflect.get(row, name), value) }
}

/** Compares two values without case, because email addresses are case-insensitive. */
function isSame(a: unknown, b: unknown): boolean {
  return String(a).toLowerCase() === String(b).toLowerCase()
}

/** Returns a filter on a time range: `createdFrom` is the inclusive and `createdTo` the exclusive bound of `createdAt`. */
function rangeOf(parameter: Parameter, rows: readonly object[]): Filter | undefined {
  const [, stem, end] = /^(\w+)(From|To)$/.exec(parameter.name) ?? []
  if (stem === undefined) return undefined
  const momentOf = (row: object) => Date.parse(String(Reflect.get(row, `${stem}At`)))
  const moments = [...new Set(rows.map(momentOf))].filter(Number.isFinite).sort((a, b) => a - b)
  const middle = moments[Math.floor(moments.length / 2)]
  // If all rows have the same time, a range that starts or ends at this time would match all rows or none.
  if (middle === undefined || moments.length < 2) return undefined
  const fits = (row: object) => (end === 'From' ? momentOf(row) >= middle : momentOf(row) < middle)
  return { pair: pairOf(parameter, new Date(middle).toISOString()), fits }
}
