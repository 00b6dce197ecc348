import type { ScopesNotHeld } from '../../access/token-scopes.ts'
import type { Visit } from '../kit/visit.ts'

export function notHeld({ member }: Visit, { scopes }: Pick<ScopesNotHeld, 'scopes'>): string {
  return `Your role, ${member.selected.role}, cannot give a token the scopes ${scopes.join(', ')} in live mode. Only an owner can create or rotate a token with these scopes. In test mode, you can give every scope.`
}
