import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { generatedReference, root } from './pages.ts'

/** The style sheets, scripts and icons of the pages. Their URLs contain a hash of the content, so they are cached for ever. */
export interface Assets {
  urlOf(name: AssetName): string
  readonly byUrl: ReadonlyMap<string, { readonly type: string; readonly body: string }>
}

type AssetName = keyof typeof types

const script = 'text/javascript; charset=utf-8'

const types = {
  'reference.css': 'text/css; charset=utf-8',
  'explorer.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'minisearch.js': script,
  'search.js': script,
  'reference.js': script,
  'theme.js': script,
  'explorer.js': script,
  'scalar.js': script,
} as const

/** The style sheets that are served as one file, in the order of the cascade. */
const sheets = ['tokens', 'frame', 'prose', 'code', 'search', 'narrow']

/** The assets do not change while the service runs. */
export async function loadAssets(): Promise<Assets> {
  const byUrl = new Map<string, { type: string; body: string }>()
  const urls = new Map<AssetName, string>()
  const add = (name: AssetName, body: string) => {
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 12)
    const url = `${root}/assets/${name.replace('.', `-${hash}.`)}`
    byUrl.set(url, { type: types[name], body })
    urls.set(name, url)
  }
  const urlOf = (name: AssetName): string => urls.get(name) ?? ''
  add('reference.css', (await Promise.all(sheets.map((sheet) => readOwn(`style/${sheet}.css`)))).join('\n'))
  add('explorer.css', await readOwn('style/explorer.css'))
  add('icon.svg', await readOwn('style/icon.svg'))
  add('minisearch.js', await readGenerated('minisearch.js'))
  // The path that search.js imports is replaced by the URL of minisearch.js, which contains a hash of the file. A
  // change of minisearch.js therefore also changes the content, and so the URL, of search.js.
  const search = await readOwn('browser/search.js')
  add('search.js', search.replace(/'[^']*minisearch\.js'/, `'${urlOf('minisearch.js')}'`))
  add('reference.js', await readOwn('browser/reference.js'))
  add('theme.js', await readOwn('browser/theme.js'))
  add('explorer.js', await readOwn('browser/explorer.js'))
  add('scalar.js', await readGenerated('explorer.js'))
  return { urlOf, byUrl }
}

/** Reads a script of another project, which `npm run generate` copied from its package. */
function readGenerated(path: string): Promise<string> {
  return readFile(new URL(path, generatedReference), 'utf8')
}

function readOwn(path: string): Promise<string> {
  return readFile(new URL(path, import.meta.url), 'utf8')
}
