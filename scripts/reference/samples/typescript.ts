import { type Dialect, layOut } from './layout.ts'
import type { Preparation, SampledOperation, SampleRequest } from './request.ts'

const dialect: Dialect = {
  indent: '  ',
  text: (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`),
  constants: { true: 'true', false: 'false', null: 'null' },
  padding: ' ',
  trailingComma: ',',
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: the template literal belongs to the sample.
const authorization = 'Authorization: `Bearer ${process.env.COMMERCE_TOKEN}`'

const throwOnFailure = 'if (!response.ok) throw new Error(await response.text())'

/** Returns a code sample that Node 24 runs without a build. It compiles under TypeScript's option `strict`. */
export function typescriptSample({ request, preparation, item, isExport }: SampledOperation): string {
  if (item !== undefined) return pageByPage(request, item)
  if (preparation !== undefined) return inTwoSteps(request, preparation)
  const shown = isExport
    ? 'for await (const chunk of response.body ?? []) process.stdout.write(chunk)'
    : 'console.log(await response.json())'
  return `const response = await ${fetchExpression(request)}\n${throwOnFailure}\n${shown}`
}

function pageByPage({ url }: SampleRequest, item: string): string {
  return `interface Page {
  data: { id: string }[]
  pagination: { cursor: string | null; hasMore: boolean }
}

const url = new URL('${url}')
let page: Page
do {
  const response = await fetch(url, {
    headers: { ${authorization} },
  })
  ${throwOnFailure}
  page = (await response.json()) as Page
  for (const ${item} of page.data) console.log(${item}.id)
  url.searchParams.set('cursor', page.pagination.cursor ?? '')
} while (page.pagination.hasMore)`
}

function inTwoSteps(request: SampleRequest, { request: first, noun, response }: Preparation): string {
  const isPage = response === 'page'
  const shape = isPage ? '{ data: [{ id: string }] }' : '{ id: string }'
  const [name, id] = isPage ? [`${noun}s`, 'data[0].id'] : [noun, 'id']
  return `const made = await ${fetchExpression(first)}
if (!made.ok) throw new Error(await made.text())
const ${name} = (await made.json()) as ${shape}

const response = await ${fetchExpression(request, `\${${name}.${id}}`)}
${throwOnFailure}
console.log(await response.json())`
}

function fetchExpression({ method, url, isPublic, body, idempotencyKey }: SampleRequest, id?: string): string {
  const target = id === undefined ? `'${url}'` : `\`${url.replace('{id}', id)}\``
  const headers = [
    ...(isPublic ? [] : [authorization]),
    ...(idempotencyKey === undefined ? [] : [`'Idempotency-Key': '${idempotencyKey}'`]),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length === 0 ? [] : [`headers: ${braced(headers)}`]),
    ...(body === undefined
      ? []
      : [`body: JSON.stringify(${layOut(body, dialect, 1, 'body: JSON.stringify('.length)})`]),
  ]
  return options.length === 0 ? `fetch(${target})` : `fetch(${target}, {\n  ${options.join(',\n  ')},\n})`
}

function braced(members: readonly string[]): string {
  return members.length === 1 ? `{ ${members[0]} }` : `{\n    ${members.join(',\n    ')},\n  }`
}
