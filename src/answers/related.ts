import { monthName } from '../words/months.ts';
import { weekdayName } from '../words/weekdays.ts';
import { germanStem } from './german.ts';
import { lemma } from './lemma.ts';
import { GERMAN_GROUPS } from './related-german.ts';

const months = (...numbers: readonly number[]) => numbers.map((month) => monthName(month).toLowerCase()).join(' ');
const weekdays = (...numbers: readonly number[]) => numbers.map((day) => weekdayName(day).toLowerCase()).join(' ');

/**
 * Words that people ask with, and what documents say instead: who asks about a "dog" means the clause on animals. A
 * word may be in several groups. They help to choose the sentence that answers; the search does not use them.
 */
const GROUPS = `
  dog puppy pet pets animal animals
  cat kitten pet pets animal animals
  hamster rabbit bird parrot pet pets animal animals
  leave quit end ends ending terminate termination vacate move cancel cancellation
  start begin begins beginning commence commences from
  end finish finishes expire expires expiry ends until
  fix repair repairs mend maintain maintains maintenance
  cost costs price fee fees charge charges pay paid payable amount
  owe due pay payable outstanding
  due pay payable before latest
  salary wage wages pay paid earn earns
  phone telephone call ring tel mobile
  flat apartment premises property house home
  rubbish bin bins waste refuse trash garbage
  car vehicle van
  bike bicycle cycle
  doctor gp surgery physician
  child kid son daughter pupil
  oven bake bakes baked roast
  cook bake boil simmer roast fry
  rest stand settle
  internet wifi broadband wi-fi
  insured insurance cover covers covered policy insure
  cover include included includes
  allowed permitted may allow permit consent permission forbidden
  guest visitor visitors
  holiday vacation annual leave
  buy purchase purchased bought order ordered
  guarantee warranty
  back return returned
  break broken defective faulty damaged fault
  meeting appointment conference
  delivery deliver delivered arrive arrives shipping dispatch
  refund return reimburse reimbursed repaid money-back
  sign signed sincerely regards
  write email reply contact
  park parking space
  subscription membership plan
  electricity power energy
  medicine tablet tablets medication dose
  heating boiler radiator
  notice period
  temperature degrees
  boss manager supervisor
  job work employment position role
  teacher tutor
  store keep kept storage
  happen consequence
  late overdue delay delayed unpaid arrears interest due
  fine penalty charge fee fees charged
  move leave vacate notice tenancy end ending
  tell inform notify notice know
  landlady landlord lessor agent
  lodger sublet subletting lodgers room
  rent let sublet lease
  enter entering access visit visits walk inspect inspection
  quit terminate terminated termination cancel cancellation notice resign
  crash accident collision claim
  abroad foreign europe european overseas
  breakdown break breaks roadside assistance
  plane flight flights fly airport departure departs
  train rail railway
  ferry boat crossing ship
  hotel room accommodation stay night
  gym fitness leisure sports membership centre club
  bill invoice total amount
  owe balance outstanding due
  fast fastest quick quickest short shortest duration
  helpline hotline service support telephone number
  stain stains spot spots cloudy streaks marks
  dirty clean cleaning wash washing rinse
  child children childproof kid kids nephew niece toddler
  lock locked lockable secure
  pick choose chose chosen select agree agreed decided decision
  neighbour resident residents tenants flat flats
  meet meeting meets session
  roofer roof roofing roofs
  plumber plumbing pipe leak water
  builder builders construction
  eat food feed feeds feeding diet fed
  vet veterinary veterinarian vets
  jab vaccination vaccinations vaccine injection
  allergic allergy intolerant
  ill sick illness sickness absence pregnancy certificate
  pause freeze freezing suspend suspended
  extend renew extension renewal
  lose lost loss replacement
  steal stolen theft thefts
  wedding ceremony marriage
  arrive arrival arrives check-in
  leave depart departure departs
  pack bring packing
  share split shared
  kilometres km miles distance
  autumn fall ${months(8, 9, 10)}
  password code pin key login
  open opening hours opens
  heat heating warm radiator radiators
  noise noisy loud quiet music
  smoke smoking smoker cigarette
  paint painted painting decorate decoration redecorate wall
  party guests celebration
  raise increase rise goes higher
  discount reduction off rebate
  overtime hours extra
  probation trial period
  wage salary pay gross
  broken defect defective repair fault
  laptop computer device equipment
  reach contact telephone call ring
  spend spent cost paid
  grandma grandmother granny mum
  big size large area square
  weigh weight heavy kg
  serve serves feed people portions
  sugar sweet sweetener
  plant sow sown planted sowing
  harvest pick ripe
  weekend ${weekdays(6, 0)}
  summer ${months(5, 6, 7)}
  winter ${months(11, 0, 1)}
  attic loft
  payday paid salary
  burst pipe leak water
  myself ourselves excess deductible own
  burglary burglar theft crime
  depart departure leave set
  wifi wi internet
  unused carried leftover
  garden lawn yard
  rubbish recycling collection`;

/** The groups of a language, read when the first question is asked. */
class RelatedWords {
  readonly #groups: string;
  readonly #stemOf: (word: string) => string;
  #related: ReadonlyMap<string, ReadonlySet<string>> | undefined;

  constructor(groups: string, stemOf: (word: string) => string) {
    this.#groups = groups;
    this.#stemOf = stemOf;
  }

  /** The stems of the words that may stand for the one with this stem. */
  to(stemmed: string): ReadonlySet<string> {
    this.#related ??= this.#read();
    return this.#related.get(stemmed) ?? NONE;
  }

  #read(): ReadonlyMap<string, ReadonlySet<string>> {
    const all = new Map<string, Set<string>>();
    for (const line of this.#groups.trim().split('\n')) {
      const group = [...new Set(line.trim().split(' ').map(this.#stemOf))];
      for (const word of group) {
        const own = all.get(word) ?? new Set();
        for (const other of group) if (other !== word) own.add(other);
        all.set(word, own);
      }
    }
    return all;
  }
}

const NONE: ReadonlySet<string> = new Set();
const ENGLISH = new RelatedWords(GROUPS, lemma);
const GERMAN = new RelatedWords(GERMAN_GROUPS, germanStem);

export const relatedTo = (stemmed: string): ReadonlySet<string> => ENGLISH.to(stemmed);
export const relatedGerman = (stemmed: string): ReadonlySet<string> => GERMAN.to(stemmed);
