import { fold } from './spelling.ts';

/** Function words of languages near ours, folded; what is a word of English or German, too, tells nothing. */
export const OF_OTHER_LANGUAGES: ReadonlySet<string> = new Set(
  `le la les une est que qui quel quelle pour dans avec vous nous je tu il elle mon ma mes ton ta sur pas sont fait
  quand combien où moi demain rappelle ajoute
  el los las una que por para con como cuando cuándo donde dónde mi mis tu es esta está este son hay cual cuál cuanto
  cuánto mañana recuérdame tengo
  il lo gli che di per sono e come dove quando quanto mio mia oggi domani ricordami della nel
  o os um uma não com meu minha quanto qual amanhã onde
  het een van niet dat ik je mijn morgen hoe waar wanneer welke voor naar maar ook wordt zijn herinner
  och att det som jag inte mig till hur när mitt ikke jeg hvor hvad hva
  nie jest sie jak gdzie kiedy moje dla czy jutro
  ve bir bu için nasıl nerede benim yarın
  ei mikä missä milloin minun huomenna`
    .split(/\s+/u)
    .map(fold),
);
