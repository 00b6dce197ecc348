import type { Refusal } from '../../operations/execute/refusal.ts'
import type { Acted } from '../kit/route.ts'

/** The outcome of a form whose product another member changed while the form was open. Undefined for other rejections. */
export function staleBy({ code }: Refusal): Acted | undefined {
  if (code !== 'version_conflict') return undefined
  const message = 'The product was changed after you opened this form. Open the product again to see the change.'
  return { is: 'refused', message }
}
