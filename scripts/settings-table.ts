import { settings } from '../src/base/settings.ts'
import { code, table } from './reference/markdown.ts'

export function settingsTable(): string {
  const rows = Object.entries(settings).map(([name, setting]) => [
    code(name),
    setting.default === '' ? '' : code(setting.default),
    setting.meaning,
  ])
  return table(['Variable', 'Default', 'Meaning'], rows)
}
