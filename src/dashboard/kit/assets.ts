import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { root } from './root.ts'

/** The style sheet, scripts and icon of the pages. Their URLs contain a hash of the content, so browsers cache them for ever. */

interface Asset {
  readonly url: string
  readonly type: string
  readonly body: string
}

/**
 * The style sheets that the dashboard serves as one file, in the order of the cascade. The API reference pages use the
 * same colour definitions.
 */
const sheets = [
  '../../reference/style/tokens.css',
  '../style/frame.css',
  '../../markup/style/content.css',
  '../style/form.css',
  '../style/order-form.css',
  '../style/products.css',
  '../style/dispatch.css',
  '../style/slips.css',
  '../style/developer.css',
]

export interface Assets {
  readonly style: Asset
  readonly script: Asset
  /** The script that runs before the content of a page is shown. */
  readonly answers: Asset
  readonly icon: Asset
}

export function loadAssets(): Assets {
  return {
    style: assetOf('dashboard.css', 'text/css; charset=utf-8', sheets.map(readOwn).join('\n')),
    script: assetOf('dashboard.js', 'text/javascript; charset=utf-8', readOwn('../browser/dashboard.js')),
    answers: assetOf('answers.js', 'text/javascript; charset=utf-8', readOwn('../browser/answers.js')),
    icon: assetOf('icon.svg', 'image/svg+xml', readOwn('../../reference/style/icon.svg')),
  }
}

function assetOf(name: string, type: string, body: string): Asset {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12)
  return { url: `${root}/assets/${name.replace('.', `-${hash}.`)}`, type, body }
}

function readOwn(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8')
}
