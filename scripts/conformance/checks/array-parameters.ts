import type { Operation, Parameter } from '../document.ts'
import { shownIn } from '../effects.ts'
import { makeRequest, pairOf } from '../make-request.ts'
import { generatorFor, observe, type Run } from '../observe.ts'
import type { Schemas } from '../schemas.ts'
import { livingPath, rowsOf } from './pages.ts'

/** Checks that array parameters are accepted as `a,b` and as repeated parameters, because generated clients send both. */
export async function checkArrayParameters(run: Run, operation: Operation): Promise<void> {
  const arrays = operation.parameters.filter((each) => each.in === 'query' && isArray(run.schemas, each))
  if (arrays.length === 0) return
  const path = operation.isList
    ? await livingPath(run, operation)
    : makeRequest(generatorFor(run, { operation, purpose: 'arrays' }), operation)?.path
  if (path === undefined) return
  const all = await observe(run, { operation, check: 'filters', request: { method: 'GET', path, as: 'token' } })
  for (const parameter of arrays) {
    const [first, second = first] = valuesOf(run.schemas, parameter, rowsOf(all.body))
    if (first !== undefined) await checkForms(run, { operation, path, parameter, values: [first, second] })
  }
}

function isArray(schemas: Schemas, { schema }: Parameter): boolean {
  return schemas.follow(schema).type === 'array'
}

/**
 * Returns values for the array parameter, those of existing rows first. If two values of existing rows are sent and a
 * service ignores one of them, it returns fewer rows, which the check detects.
 */
function valuesOf(schemas: Schemas, { name, schema }: Parameter, rows: readonly object[]): unknown[] {
  const { items = {}, examples = [] } = schemas.follow(schema)
  const shown = rows.map((row): unknown => Reflect.get(row, name))
  const values = [...shown, ...(schemas.follow(items).enum ?? []), ...examples.flat()]
  return [...new Set(values)].filter((value) => schemas.faultsOf(schema, [value]).length === 0)
}

interface Forms {
  readonly operation: Operation
  readonly path: string
  readonly parameter: Parameter
  readonly values: readonly unknown[]
}

/**
 * Number of comparisons between the responses to the two forms of the parameter: with commas, and repeated. A
 * difference is reported only if it occurs twice, because another client may change a record between two requests.
 */
const triesMax = 2

async function checkForms(run: Run, { operation, path, parameter, values }: Forms): Promise<void> {
  const send = (query: string, expect?: (shown: string) => string[]) =>
    observe(run, {
      operation,
      check: 'filters',
      request: { method: 'GET', path: `${path}${path.includes('?') ? '&' : '?'}${query}`, as: 'token' },
      ...(expect === undefined ? {} : { expect: (response) => expect(shownIn(response)) }),
    })
  const [joined, repeated] = [pairOf(parameter, values), values.map((each) => pairOf(parameter, each)).join('&')]
  for (let tries = 1; tries <= triesMax; tries++) {
    const expected = shownIn(await send(joined))
    const isLast = tries === triesMax
    const response = await send(repeated, (shown) =>
      isLast && shown !== expected ? [`${repeated} and ${joined} return different results.`] : [],
    )
    if (shownIn(response) === expected) return
  }
}
