import { contentTokens, stem } from './words.ts';

/**
 * What people ask with, and what papers say instead: whoever asks for the "dog" means the clause on animals. A word
 * may be in several groups. These help a sentence to answer; what is found is ranked without them.
 */
const GROUPS = `
  dog cat hamster rabbit puppy kitten pet pets animal animals
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
  late overdue delay delayed
  broken defective faulty damaged fault
  meeting appointment conference
  delivery deliver delivered arrive arrives shipping dispatch
  refund return reimburse reimbursed repaid money-back
  happen consequence
  sign signed sincerely regards
  write email reply contact
  park parking space
  subscription membership plan
  electricity power energy
  doctor's medicine tablet tablets medication dose
  heating boiler radiator
  notice period
  temperature degrees
  boss manager supervisor
  job work employment position role
  teacher tutor
  store keep kept storage`;

const RELATED = (() => {
  let related: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  return () => {
    related ??= read();
    return related;
  };
})();

function read(): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, Set<string>>();
  for (const line of GROUPS.trim().split('\n')) {
    const group = [...new Set(line.trim().split(' ').map(stem))];
    for (const word of group) {
      const own = all.get(word) ?? new Set();
      for (const other of group) if (other !== word) own.add(other);
      all.set(word, own);
    }
  }
  return all;
}

const NONE: ReadonlySet<string> = new Set();

/** The stems of the words that may stand for one, by its stem. */
export function relatedTo(stemmed: string): ReadonlySet<string> {
  return RELATED().get(stemmed) ?? NONE;
}

/** The words that papers may have instead of those of a question. */
export function relatedWords(question: string): readonly string[] {
  return [...new Set(contentTokens(question).flatMap((token) => [...relatedTo(stem(token))]))];
}
