import { type State, states } from '../states.ts'

/**
 * The approximate centre of each state, and a generous radius around it in kilometres. For Lagos and the FCT, the
 * centre is that of the population: Ikeja and central Abuja.
 */
export const stateCentres: {
  readonly [Name in State]: readonly [lat: number, lng: number, reachKilometers: number]
} = {
  Abia: [5.45, 7.55, 70],
  Adamawa: [9.33, 12.4, 200],
  'Akwa Ibom': [4.93, 7.87, 80],
  Anambra: [6.22, 6.94, 70],
  Bauchi: [10.63, 9.99, 190],
  Bayelsa: [4.77, 6.07, 100],
  Benue: [7.34, 8.74, 160],
  Borno: [11.89, 13.15, 240],
  'Cross River': [5.87, 8.6, 150],
  Delta: [5.7, 5.93, 120],
  Ebonyi: [6.26, 8.01, 75],
  Edo: [6.63, 5.88, 130],
  Ekiti: [7.72, 5.31, 70],
  Enugu: [6.54, 7.41, 85],
  FCT: [9.06, 7.49, 110],
  Gombe: [10.38, 11.19, 120],
  Imo: [5.57, 7.06, 65],
  Jigawa: [12.22, 9.56, 150],
  Kaduna: [10.38, 7.71, 170],
  Kano: [11.75, 8.52, 130],
  Katsina: [12.38, 7.63, 130],
  Kebbi: [11.5, 4.2, 190],
  Kogi: [7.73, 6.69, 150],
  Kwara: [8.97, 4.39, 200],
  Lagos: [6.6, 3.35, 115],
  Nasarawa: [8.5, 8.2, 150],
  Niger: [9.93, 5.6, 240],
  Ogun: [6.98, 3.47, 110],
  Ondo: [6.91, 5.15, 120],
  Osun: [7.56, 4.52, 90],
  Oyo: [8.16, 3.61, 150],
  Plateau: [9.22, 9.52, 150],
  Rivers: [4.84, 6.91, 100],
  Sokoto: [13.05, 5.32, 170],
  Taraba: [7.99, 10.77, 210],
  Yobe: [12.29, 11.44, 200],
  Zamfara: [12.17, 6.22, 150],
}

const kilometersPerDegree = 111.195

/**
 * Returns the default state if the point is within the radius of this state. Otherwise returns the state for which the
 * distance of the point from the centre, divided by the radius, is smallest. The radii overlap, so near the border of
 * two states the result is a guess.
 */
export function stateOfPoint(point: { readonly lat: number; readonly lng: number }, defaultState: State): State {
  if (radiiFrom(point, defaultState) <= 1) return defaultState
  return states.reduce((best, state) => (radiiFrom(point, state) < radiiFrom(point, best) ? state : best))
}

/** Returns the distance of a point from the centre of a state, in radii of the state. */
function radiiFrom(point: { readonly lat: number; readonly lng: number }, state: State): number {
  const [lat, lng, reachKilometers] = stateCentres[state]
  const shrunk = Math.cos((lat * Math.PI) / 180)
  return (Math.hypot(point.lat - lat, (point.lng - lng) * shrunk) * kilometersPerDegree) / reachKilometers
}
