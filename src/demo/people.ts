import type { Address } from '../../registry/values/address.ts'
import type { State } from '../../registry/values/states.ts'
import { randomOf } from './random.ts'

/** A fictional customer. */
export interface Person {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly address: Address
}

/**
 * The same seed and index always give the same person. The e-mail address contains the index, so that people of the
 * same name have different addresses.
 */
export function personOf(seed: string, index: number): Person {
  const random = randomOf('person', seed, index)
  const group = random.weighted(ethnicGroups)
  const given = random.pick(group.given)
  const family = random.pick(group.family)
  const place = random.weighted(places)
  const area = random.pick(place.areas)
  const name = `${given} ${family}`
  const phone = `+234${random.pick(mobilePrefixes)}${String(random.between(0, 9_999_999)).padStart(7, '0')}`
  return {
    name,
    email: `${emailPartOf(given)}.${emailPartOf(family)}${index}@example.com`,
    phone,
    address: {
      recipientName: name,
      phone,
      line1: `${random.between(1, 140)} ${random.pick(area.streets)}`,
      line2: random.chance(30) ? `Flat ${random.between(1, 12)}` : null,
      landmark: random.chance(40) ? area.landmark : null,
      area: null,
      city: area.city,
      state: place.state,
      country: 'NG',
      postalCode: null,
      instructions: null,
      latitude: null,
      longitude: null,
    },
  }
}

function emailPartOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '')
}

/**
 * Given and family names by ethnic group. `weight` is the approximate share of the group among the customers of a shop
 * in Lagos.
 */
const ethnicGroups = [
  {
    weight: 40, // Yoruba
    given: ['Adebayo', 'Temitope', 'Folasade', 'Oluwaseun', 'Yetunde', 'Babatunde', 'Morenike', 'Ayomide', 'Titilayo'],
    family: ['Adeyemi', 'Ogunleye', 'Balogun', 'Akinwale', 'Oyelaran', 'Fashola', 'Adegoke', 'Olatunji', 'Ajayi'],
  },
  {
    weight: 28, // Igbo
    given: ['Adaeze', 'Chinedu', 'Ngozi', 'Obinna', 'Ifeoma', 'Chidera', 'Uchenna', 'Nkechi', 'Kelechi', 'Amarachi'],
    family: ['Okafor', 'Eze', 'Nwosu', 'Okonkwo', 'Onyekachi', 'Chukwu', 'Mbah', 'Nwachukwu', 'Obi', 'Umeh'],
  },
  {
    weight: 14, // Hausa
    given: ['Aisha', 'Musa', 'Zainab', 'Ibrahim', 'Hadiza', 'Sadiq', 'Halima', 'Usman', 'Fatima', 'Bashir'],
    family: ['Bello', 'Danjuma', 'Abubakar', 'Yusuf', 'Garba', 'Sani', 'Lawal', 'Shehu', 'Mohammed', 'Tanko'],
  },
  {
    weight: 10, // Edo
    given: ['Osaro', 'Esosa', 'Ivie', 'Osagie', 'Efosa', 'Isoken', 'Eghosa', 'Amenze', 'Nosa', 'Itohan'],
    family: ['Igbinedion', 'Osunde', 'Aigbe', 'Omoregie', 'Ehigie', 'Idahosa', 'Uwaifo', 'Obaseki', 'Eweka'],
  },
  {
    weight: 8, // Names of the Efik and Ibibio peoples.
    given: ['Ekaette', 'Effiong', 'Arit', 'Ubong', 'Idara', 'Bassey', 'Mfon', 'Inyang', 'Emem', 'Otobong'],
    family: ['Ekpo', 'Edet', 'Archibong', 'Okon', 'Udoh', 'Essien', 'Ita', 'Akpan', 'Duke', 'Umoh'],
  },
] as const

/** Prefixes of Nigerian mobile numbers of the networks MTN, Airtel, Glo and 9mobile. Seven digits follow a prefix. */
const mobilePrefixes = [
  '703',
  '706',
  '802',
  '803',
  '805',
  '806',
  '808',
  '810',
  '813',
  '815',
  '817',
  '902',
  '905',
  '909',
]

interface Place {
  readonly weight: number
  readonly state: State
  readonly areas: readonly { readonly city: string; readonly landmark: string; readonly streets: readonly string[] }[]
}

const places: readonly Place[] = [
  {
    weight: 70,
    state: 'Lagos',
    areas: [
      { city: 'Lekki', landmark: 'Opposite Ebeano Supermarket', streets: ['Admiralty Way', 'Fola Osibo Road'] },
      { city: 'Ikeja', landmark: 'Near Computer Village', streets: ['Allen Avenue', 'Toyin Street', 'Opebi Road'] },
      { city: 'Victoria Island', landmark: 'Beside Eko Hotel', streets: ['Adeola Odeku Street', 'Ahmadu Bello Way'] },
      { city: 'Yaba', landmark: 'Near Tejuosho Market', streets: ['Herbert Macaulay Way', 'Commercial Avenue'] },
      {
        city: 'Surulere',
        landmark: 'Near the National Stadium',
        streets: ['Bode Thomas Street', 'Adeniran Ogunsanya'],
      },
      { city: 'Ikoyi', landmark: 'Close to Falomo Bridge', streets: ['Awolowo Road', 'Bourdillon Road'] },
      { city: 'Gbagada', landmark: 'Behind the General Hospital', streets: ['Diya Street', 'Olusola Harris Drive'] },
      { city: 'Ajah', landmark: 'After Abraham Adesanya Roundabout', streets: ['Addo Road', 'Lekki-Epe Expressway'] },
      { city: 'Festac Town', landmark: 'First Avenue gate', streets: ['Second Avenue', 'Twenty-third Road'] },
    ],
  },
  {
    weight: 30,
    state: 'FCT',
    areas: [
      { city: 'Wuse', landmark: 'Near Wuse Market', streets: ['Aminu Kano Crescent', 'Ademola Adetokunbo Crescent'] },
      { city: 'Garki', landmark: 'By Area 11 Junction', streets: ['Gimbiya Street', 'Ahmadu Bello Way'] },
      { city: 'Maitama', landmark: 'Near Transcorp Hilton', streets: ['Gana Street', 'Yedseram Street'] },
      { city: 'Gwarinpa', landmark: 'Opposite the Setraco gate', streets: ['First Avenue', 'Third Avenue'] },
      { city: 'Jabi', landmark: 'Beside Jabi Lake Mall', streets: ['Obafemi Awolowo Way', 'Alex Ekwueme Way'] },
      { city: 'Kubwa', landmark: 'Near the NYSC camp', streets: ['Gado Nasko Road', 'Arab Road'] },
    ],
  },
]
