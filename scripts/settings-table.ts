import { readFile } from 'node:fs/promises'
import { settings } from '../src/base/config.ts'

const begin = '<!-- settings: written by `npm run generate` from src/base/config.ts -->'
const end = '<!-- end of settings -->'

/** The README with its table of settings as src/base/config.ts declares them. */
export async function readmeWithSettings(): Promise<string> {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const from = readme.indexOf(begin)
  const to = readme.indexOf(end)
  if (from < 0 || to < 0) throw new Error(`README.md must contain ${begin} and ${end}.`)
  const rows = Object.entries(settings).map(
    ([name, setting]) =>
      `| \`${name}\` | ${setting.default === '' ? '' : `\`${setting.default}\``} | ${setting.meaning} |`,
  )
  const table = ['| variable | when unset | meaning |', '|---|---|---|', ...rows].join('\n')
  return `${readme.slice(0, from)}${begin}\n${table}\n${readme.slice(to)}`
}
