import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { openSite } from '../src/reference/site.ts'

/** `npm run reference -- --out <folder>`: writes the complete API reference as static files for any web server. */

const { values } = parseArgs({ options: { out: { type: 'string' } } })
if (values.out === undefined) {
  console.error('--out is required: npm run reference -- --out <folder>')
  process.exit(1)
}
const out = values.out

const site = await openSite(new URL('../generated/reference/', import.meta.url))
const urls = await site.urls()
for (const url of urls) {
  const resource = await site.read(url)
  if (resource === undefined) throw new Error(`${url} cannot be read.`)
  await write(resource.type.startsWith('text/html') ? `${url}/index.html` : url, resource.body)
}
// The static search page is the same for every search query, because its script renders the results.
await write('/docs/search/index.html', site.search('').body)
await write('/404.html', site.notFound.body)
// The API explorer and the links of the pages expect the OpenAPI document at the same path as in the service.
await write('/api/v1/openapi.json', await readFile(new URL('../openapi.json', import.meta.url), 'utf8'))
console.log(`${urls.length + 3} files written to ${out}. Serve this folder; the reference is at /docs.`)

async function write(path: string, body: string): Promise<void> {
  const file = join(out, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, body)
}
