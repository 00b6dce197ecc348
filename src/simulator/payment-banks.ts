/** Nigerian banks by their interbank codes, so that a refund in test mode can be sent to an account at any of them. */
export const simulatedBanks = [
  { id: 1, name: 'Access Bank', code: '044' },
  { id: 2, name: 'Ecobank Nigeria', code: '050' },
  { id: 3, name: 'Fidelity Bank', code: '070' },
  { id: 4, name: 'First Bank of Nigeria', code: '011' },
  { id: 5, name: 'First City Monument Bank', code: '214' },
  { id: 6, name: 'Guaranty Trust Bank', code: '058' },
  { id: 7, name: 'Keystone Bank', code: '082' },
  { id: 8, name: 'Polaris Bank', code: '076' },
  { id: 9, name: 'Stanbic IBTC Bank', code: '221' },
  { id: 10, name: 'Sterling Bank', code: '232' },
  { id: 11, name: 'Union Bank of Nigeria', code: '032' },
  { id: 12, name: 'United Bank For Africa', code: '033' },
  { id: 13, name: 'Unity Bank', code: '215' },
  { id: 14, name: 'Wema Bank', code: '035' },
  { id: 15, name: 'Zenith Bank', code: '057' },
] as const
