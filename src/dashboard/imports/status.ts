import type { Markup } from '../../markup/markup.ts'
import { badge, type Tone } from '../../markup/parts.ts'
import type { ProductImportStatus } from '../../store/tables/values.ts'

const tones: Readonly<Record<ProductImportStatus, Tone>> = {
  checking: 'active',
  checked: 'waiting',
  importing: 'active',
  done: 'good',
  failed: 'bad',
}

export function importBadge(status: ProductImportStatus): Markup {
  return badge(status, tones[status])
}

export function isRunning(status: ProductImportStatus): boolean {
  return status === 'checking' || status === 'importing'
}
