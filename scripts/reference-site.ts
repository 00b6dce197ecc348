import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { generatedReference } from '../src/reference/pages.ts'
import { type Resource, writtenOrigin } from '../src/reference/resource.ts'
import { openSite } from '../src/reference/site.ts'

/** `npm run reference -- --out <folder>`: writes the complete API reference as static files for any web server. */

const { values } = parseArgs({ options: { out: { type: 'string' } } })
if (values.out === undefined) {
  console.error('--out is required: npm run reference -- --out <folder>')
  process.exit(1)
}
const out = values.out

const site = await openSite(generatedReference)
for (const [url, resource] of site.resources) {
  await write(resource.type.startsWith('text/html') ? `${url}/index.html` : url, resource)
}
// The static search page is the same for every search query, because its script renders the results.
await write('/docs/search/index.html', site.search(''))
await write('/404.html', site.notFound)
// The API explorer and the links of the pages expect the OpenAPI document at the same path as in the service.
await write('/api/v1/openapi.json', {
  body: () => readFile(new URL('../openapi.json', import.meta.url), 'utf8'),
})
console.log(`${site.resources.size + 3} files written to ${out}. Serve this folder; the reference is at /docs.`)

async function write(path: string, { body }: Pick<Resource, 'body'>): Promise<void> {
  const file = join(out, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, await body(writtenOrigin))
}
