import type { FoundSession } from '../kit/open-session.ts'
import { root } from '../kit/root.ts'

export function nextStepOf(found: Exclude<FoundSession, { is: 'open' }>): string {
  if (found.is === 'none') return `${root}/sign-in`
  switch (found.session.stage) {
    case 'totp_required':
      return `${root}/sign-in/code`
    case 'setup_required':
      return `${root}/sign-in/setup`
    case 'complete':
      return `${root}/sign-in/no-merchant`
  }
}
