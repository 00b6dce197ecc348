import { breakValue } from '../break-value.ts'
import type { ApiRequest } from '../client.ts'
import type { Operation, Parameter } from '../document.ts'
import { type Draw, oneOf } from '../draw.ts'
import { makeBody } from '../make-body.ts'
import { makePath, makeRequest, pairOf } from '../make-request.ts'
import { expectStatus, generatorFor, observe, type Run } from '../observe.ts'
import { codesOf, type Schemas } from '../schemas.ts'
import { checkTexts } from './texts.ts'

/** Checks that the service rejects requests that the schemas forbid. */
export async function checkBroken(run: Run): Promise<void> {
  for (const operation of run.operations) {
    await checkUnknownParameter(run, operation)
    await checkParameters(run, operation)
    await checkBodies(run, operation)
    await checkTexts(run, operation)
  }
}

/** Checks that an unknown query parameter is rejected by operations that declare `unknown_parameter`. */
async function checkUnknownParameter(run: Run, operation: Operation): Promise<void> {
  const request = makeRequest(generatorFor(run, { operation, purpose: 'unknown parameter' }), operation)
  const rejected = operation.responses['400']?.content?.['application/json']
  if (request === undefined || rejected === undefined) return
  if (!codesOf(run.schemas, rejected.schema).includes('unknown_parameter')) return
  const path = `${request.path}${request.path.includes('?') ? '&' : '?'}undeclared=1`
  const expect = expectStatus([400], 'An undeclared query parameter')
  await observe(run, { operation, check: 'broken', request: { ...request, path }, expect })
}

async function checkParameters(run: Run, operation: Operation): Promise<void> {
  for (const parameter of operation.parameters) {
    const generator = generatorFor(run, { operation, purpose: `broken ${parameter.name}` })
    const request = makeRequest(generator, operation)
    const path = makePath(generator, operation)
    const value = brokenParameter(run.schemas, parameter, generator.draw)
    if (request === undefined || path === undefined || value === undefined) continue
    const broken = withParameter(request, { operation, path, parameter, value })
    const expect = expectStatus([400], `${parameter.name} as ${JSON.stringify(value)} does not fit its schema`)
    await observe(run, { operation, check: 'broken', request: broken, expect })
  }
}

interface BrokenParameter {
  readonly operation: Operation
  readonly path: string
  readonly parameter: Parameter
  readonly value: string
}

function withParameter(request: ApiRequest, { operation, path, parameter, value }: BrokenParameter): ApiRequest {
  switch (parameter.in) {
    case 'query':
      return { ...request, path: `${path}?${pairOf(parameter, value)}` }
    case 'header':
      return { ...request, headers: { ...request.headers, [parameter.name]: value } }
    case 'path': {
      const at = operation.template.split('/').indexOf(`{${parameter.name}}`)
      const parts = path.split('/').map((part, index) => (index === at ? encodeURIComponent(value) : part))
      return { ...request, path: parts.join('/') }
    }
  }
}

/**
 * Returns a parameter value that the parameter's schema forbids, or undefined if there is none. A header can contain
 * only printable characters.
 */
function brokenParameter(schemas: Schemas, { schema, in: place }: Parameter, draw: Draw): string | undefined {
  const texts = ['abc', '-1', '1e9', '0x10', '1.5', '101', '99999999999999999999', 'x'.repeat(6000), 'ord_x', 'TRUE']
  if (place === 'query') texts.push('', ',', '💥', '%00')
  return oneOf(
    draw,
    texts.filter((text) => valuesOf(schema.type, text).every((value) => schemas.faultsOf(schema, value).length > 0)),
  )
}

/**
 * Returns the values that a text in a URL or in a header represents under a schema of the given type, such as the
 * number 5 for `5`.
 */
function valuesOf(type: string | readonly string[] | undefined, text: string): unknown[] {
  switch (type) {
    case 'integer':
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text) ? [Number(text)] : [text]
    case 'boolean':
      return [text === 'true' ? true : text === 'false' ? false : text]
    case 'array':
      return [text.split(',')]
    default:
      return [text]
  }
}

/** Maximum number of random changes of a body in the search for a body that the schema forbids. */
const triesMax = 12

/**
 * Size in characters up to which a service must read a request body. A generated body with too many array items may be
 * larger.
 */
const smallMax = 10_000

async function checkBodies(run: Run, operation: Operation): Promise<void> {
  const { body } = operation
  if (body === undefined) return
  for (let round = 0; round < run.runs; round++) {
    const generator = generatorFor(run, { operation, purpose: `broken ${round}`, changedPercent: 20 })
    const request = makeRequest(generator, operation)
    if (request === undefined) return
    const broken = firstBroken(
      () => breakValue(makeBody(generator, operation), generator.draw),
      (value) => run.schemas.faultsOf(body.schema, value),
    )
    if (broken === undefined) continue
    const isLarge = JSON.stringify(broken.value).length > smallMax
    const statuses = isLarge && operation.responses['413'] !== undefined ? [400, 413] : [400]
    const expect = expectStatus(statuses, `The body does not fit its schema (${broken.fault})`)
    await observe(run, { operation, check: 'broken', request: { ...request, body: broken.value }, expect })
  }
  await checkBytes(run, operation)
}

function firstBroken(
  make: () => unknown,
  faultsOf: (value: unknown) => string[],
): { readonly value: unknown; readonly fault: string } | undefined {
  for (let tries = 0; tries < triesMax; tries++) {
    const value = make()
    const [fault] = faultsOf(value)
    if (fault !== undefined) return { value, fault }
  }
  return undefined
}

/** Checks that bodies that are not JSON or have another content type are rejected. */
async function checkBytes(run: Run, operation: Operation): Promise<void> {
  const request = makeRequest(generatorFor(run, { operation, purpose: 'bytes' }), operation)
  if (request === undefined) return
  const bytes: [ApiRequest, readonly number[], string][] = [
    [{ ...request, rawBody: '{"a":' }, [400], 'The body is not JSON'],
    [{ ...request, rawBody: '' }, [400, 415], 'There is no body'],
    [
      { ...request, headers: { ...request.headers, 'Content-Type': 'text/plain' } },
      [415],
      'The content type is text/plain',
    ],
  ]
  for (const rawBody of withDuplicates(request.body))
    bytes.push([{ ...request, rawBody }, [400], 'The body repeats a member name'])
  for (const [broken, statuses, why] of bytes) {
    await observe(run, { operation, check: 'broken', request: broken, expect: expectStatus(statuses, why) })
  }
}

/** Returns bodies that repeat a member name. Parsers differ in which of the two members they keep. */
function withDuplicates(body: unknown): string[] {
  const members = Object.entries(Object(body))
  const nested = members.find(([, value]) => isObject(value))
  const mark = 'the nested object'
  return [
    ...duplicatesIn(body),
    // JSON allows each letter of a name to be escaped.
    ...duplicatesIn(body, (name) => `\\u00${name.charCodeAt(0).toString(16).padStart(2, '0')}${name.slice(1)}`),
    ...(nested === undefined ? [] : duplicatesIn(nested[1])).map((text) =>
      JSON.stringify({ ...Object(body), [nested?.[0] ?? '']: mark }).replace(JSON.stringify(mark), () => text),
    ),
  ]
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
}

/**
 * Returns the object as JSON text in which the first member occurs twice. The function `spell` returns the name of the
 * second occurrence.
 */
function duplicatesIn(value: unknown, spell = (name: string) => name): string[] {
  const [first] = Object.entries(Object(value))
  if (first === undefined) return []
  const [name, member] = first
  return [JSON.stringify(value).replace(/\}$/, () => `,"${spell(name)}":${JSON.stringify(member)}}`)]
}
