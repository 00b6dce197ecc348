import type { ProofInput } from '../../../registry/logistics/proof.ts'
import type { Capabilities, ProofKind } from '../../partners/carriers/carrier.ts'
import type { StoredShipment } from '../../store/tables/shipment.ts'

export function requestedProof(proof: ProofInput | undefined): readonly ProofKind[] {
  if (proof === undefined) return []
  const { photo, signature, pin } = proof
  return kindsOf({ photo, signature, pin: pin !== 'none' })
}

export function proofOf({ proof }: Pick<StoredShipment, 'proof'>): readonly ProofKind[] {
  const { photo, signature, pin } = proof
  return kindsOf({ photo, signature, pin: pin !== null })
}

function kindsOf(required: Readonly<Record<ProofKind, boolean>>): readonly ProofKind[] {
  const all = ['photo', 'signature', 'pin'] as const
  return all.filter((kind) => required[kind])
}

export function missingProof(
  { proof }: Pick<Capabilities, 'proof'>,
  required: readonly ProofKind[],
): ProofKind | undefined {
  return required.find((kind) => !proof.includes(kind))
}
