import { stem } from '../rag/analysis/words.ts';

/** Each group: the word, then the forms that no stemmer reduces to it. */
const GROUPS = `
  begin began begun|bite bit bitten|blow blew blown|break broke broken|bring brought|build built|burn burnt|buy bought
  catch caught|choose chose chosen|come came|deal dealt|dig dug|draw drew drawn|drink drank drunk
  drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|fly flew flown
  forget forgot forgotten|freeze froze frozen|get got gotten|give gave given|go goes went gone|grow grew grown
  hang hung|hear heard|hide hid hidden|hold held|keep kept|know knew known|lay laid|lead led|leave left|lend lent
  lie lay lain|light lit|lose lost|make made|mean meant|meet met|pay paid|ride rode ridden|ring rang rung
  rise rose risen|run ran|say said|see saw seen|sell sold|send sent|sew sewn|shake shook shaken|shoot shot
  sing sang sung|sink sank sunk|sit sat|sleep slept|speak spoke spoken|spend spent|stand stood
  steal stole stolen|stick stuck|strike struck|sweep swept|swim swam swum|take took taken|teach taught|tear tore torn
  tell told|think thought|throw threw thrown|understand understood|wake woke woken|wear wore worn|win won
  write wrote written|child children|man men|woman women|foot feet|tooth teeth|mouse mice|person people|knife knives
  shelf shelves|half halves`;

const BASES: ReadonlyMap<string, string> = new Map(
  GROUPS.split(/[|\n]/u).flatMap((group) => {
    const [base = '', ...forms] = group.trim().split(' ');
    return forms.map((form): [string, string] => [form, base]);
  }),
);

/** The base form of a lower-case word: "ran" and "running" become "run". */
export const lemma = (word: string): string => stem(BASES.get(word) ?? word);
