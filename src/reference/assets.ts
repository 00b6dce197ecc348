import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { root } from './pages.ts'

/** What pages load beside themselves. A name carries a hash of what it names, so it may be kept for ever. */
export interface Assets {
  urlOf(name: AssetName): string
  /** By its address, hash included. */
  find(url: string): Asset | undefined
  readonly urls: readonly string[]
}

export interface Asset {
  readonly type: string
  readonly body: string
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
} as const

/** The sheets that are served as one, in the order of the cascade. */
const sheets = ['tokens', 'frame', 'prose', 'code', 'search', 'narrow']

/** A service's files do not change while it runs, so they are read once. */
export async function loadAssets(): Promise<Assets> {
  const byUrl = new Map<string, Asset>()
  const urls = new Map<AssetName, string>()
  const add = (name: AssetName, body: string) => {
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 12)
    const url = `${root}/assets/${name.replace('.', `-${hash}.`)}`
    byUrl.set(url, { type: types[name], body })
    urls.set(name, url)
  }
  const urlOf = (name: AssetName): string => urls.get(name) ?? ''
  add('reference.css', (await Promise.all(sheets.map((sheet) => ours(`style/${sheet}.css`)))).join('\n'))
  add('explorer.css', await ours('style/explorer.css'))
  add('icon.svg', await ours('style/icon.svg'))
  // The map of its source is not served, and a browser's tools would ask for it.
  const minisearch = await readFile(new URL(import.meta.resolve('minisearch')), 'utf8')
  add('minisearch.js', minisearch.replace(/\/\/# sourceMappingURL=.*/, ''))
  // A browser knows no packages: the import is given the address, and so the hash changes with it.
  add('search.js', (await ours('browser/search.js')).replace("'minisearch'", `'${urlOf('minisearch.js')}'`))
  add('reference.js', await ours('browser/reference.js'))
  add('theme.js', await ours('browser/theme.js'))
  add('explorer.js', await ours('browser/explorer.js'))
  return { urlOf, find: (url) => byUrl.get(url), urls: [...byUrl.keys()] }
}

function ours(path: string): Promise<string> {
  return readFile(new URL(path, import.meta.url), 'utf8')
}
