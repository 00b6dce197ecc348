import { apiRoot, type Endpoint } from '../../../registry/kit/endpoint.ts'
import { clientMethods } from '../../clients/methods.ts'
import { type Dialect, layOut } from './layout.ts'
import { demoUrl, type SampledOperation, type SampleRequest } from './request.ts'

const dialect: Dialect = {
  indent: '  ',
  text: (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`),
  constants: { true: 'true', false: 'false', null: 'null' },
  padding: ' ',
  trailingComma: ',',
}

const client = `const commerce = createCommerce({
  baseUrl: '${demoUrl}${apiRoot}',
  token: process.env.COMMERCE_TOKEN ?? '',
})`

/** Returns a code sample that uses the TypeScript client. It compiles under TypeScript's option `strict`. */
export function typescriptSample(operation: SampledOperation): string {
  const imported = operation.isExport ? 'createCommerce, unwrap' : 'createCommerce'
  return `import { ${imported} } from 'commerce-service-client'\n\n${client}\n${statements(operation)}`
}

function statements({ endpoint, request, preparation, item, isExport }: SampledOperation): string {
  if (isExport) return exportStatements(endpoint, request)
  const { ids } = request
  if (item !== undefined) {
    return `for await (const ${item} of ${callOf(endpoint, request, ids.map(dialect.text))}) console.log(${item}.id)`
  }
  if (preparation === undefined) {
    return `const result = await ${callOf(endpoint, request, ids.map(dialect.text))}\nconsole.log(result)`
  }
  const { noun, response } = preparation
  const first = callOf(preparation.endpoint, preparation.request, [])
  const main = `console.log(await ${callOf(endpoint, request, [`${noun}.id`])})`
  if (response === 'record') return `const ${noun} = await ${first}\n${main}`
  return `for await (const ${noun} of ${first}) {\n  ${main}\n  break\n}`
}

function exportStatements({ path }: Endpoint, { query }: SampleRequest): string {
  const options = layOut({ params: { query }, parseAs: 'stream' }, dialect, 0, `const stream = unwrap(await `.length)
  return `const stream = unwrap(await commerce.GET('${path}', ${options}))
for await (const chunk of stream ?? []) process.stdout.write(chunk)`
}

/** The ids of the path are given as TypeScript expressions. */
function callOf({ id: operation }: Endpoint, request: SampleRequest, ids: readonly string[]): string {
  const method = clientMethods.find(({ endpoint }) => endpoint.id === operation)
  if (method === undefined) throw new Error(`The client has no method for ${operation}.`)
  const { body, query, idempotencyKey } = request
  const input = body ?? (Object.keys(query).length === 0 ? undefined : query)
  const options = idempotencyKey === undefined ? undefined : { headers: { 'Idempotency-Key': idempotencyKey } }
  const values = [input, options].filter((value) => value !== undefined)
  const name = `commerce.${method.resource}.${method.name}`
  const before = 'const result = await '.length + name.length + ids.join(', ').length
  const [only, ...others] = values
  if (others.length === 0) {
    return `${name}(${[...ids, ...(only === undefined ? [] : [layOut(only, dialect, 0, before)])].join(', ')})`
  }
  const lines = [...ids, ...values.map((value) => layOut(value, dialect, 1))].map((line) => `  ${line},`)
  return `${name}(\n${lines.join('\n')}\n)`
}
