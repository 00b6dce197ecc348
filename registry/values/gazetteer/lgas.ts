import type { WideRow } from './rows.ts'

/**
 * The local government areas of Lagos and the area councils of the FCT, each with its population centre and its zone.
 * The zone is null for an area that covers parts of several zones. The list also contains Lekki, which is not a local
 * government area: it is as large as one, and half of the addresses in Lekki contain this name.
 */
export const lagosLgas: readonly WideRow[] = [
  ['Agege', 6.621, 3.323, 'lag-west'],
  ['Ajeromi-Ifelodun', 6.455, 3.334, 'lag-apapa-festac', 'Ajeromi'],
  ['Alimosho', 6.584, 3.265, 'lag-west'],
  ['Amuwo-Odofin', 6.46, 3.285, 'lag-apapa-festac'],
  ['Apapa', 6.448, 3.36, 'lag-apapa-festac'],
  ['Badagry', 6.433, 2.89, 'lag-badagry', 'Badagary'],
  ['Epe', 6.6, 3.95, 'lag-epe'],
  ['Eti-Osa', 6.45, 3.52, null],
  ['Ibeju-Lekki', 6.46, 3.78, 'lag-ibeju', 'Ibeju'],
  ['Ifako-Ijaiye', 6.66, 3.32, 'lag-west', 'Ifako Ijaye'],
  ['Ikeja', 6.6018, 3.3515, 'lag-ikeja'],
  ['Ikorodu', 6.62, 3.53, 'lag-ikorodu'],
  ['Kosofe', 6.59, 3.39, 'lag-kosofe'],
  ['Lagos Island', 6.455, 3.394, 'lag-island'],
  ['Lagos Mainland', 6.495, 3.38, 'lag-mainland', 'Mainland'],
  ['Mushin', 6.533, 3.352, 'lag-mainland'],
  ['Ojo', 6.47, 3.19, 'lag-apapa-festac'],
  ['Oshodi-Isolo', 6.54, 3.32, 'lag-ikeja'],
  ['Shomolu', 6.539, 3.372, 'lag-mainland', 'Somolu'],
  ['Surulere', 6.497, 3.353, 'lag-mainland'],
  ['Lekki', 6.445, 3.52, null, 'Lekki Peninsula'],
]

export const fctLgas: readonly WideRow[] = [
  ['Abaji', 8.475, 6.943, 'abj-outer'],
  ['Abuja Municipal', 9.05, 7.47, null, 'AMAC', 'Municipal', 'Abuja Municipal Area Council', 'Municipal Area Council'],
  ['Bwari', 9.2, 7.37, 'abj-north-west', 'Bwari Area Council'],
  ['Gwagwalada', 8.943, 7.083, 'abj-outer', 'Gwagwalada Area Council'],
  ['Kuje', 8.88, 7.227, 'abj-south', 'Kuje Area Council'],
  ['Kwali', 8.842, 7.02, 'abj-outer', 'Kwali Area Council'],
]
