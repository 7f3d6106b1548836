import { QUESTION_WORDS } from './question-words.ts';
import { fold, type Language } from './spelling.ts';

const LISTS: Readonly<Record<Language, string>> = {
  en: `a an the this that these those such
    and or but nor if then than because while although though whether unless since until so as both either neither
    of in on at by for with without within from to into onto upon over under between among through during against
    about above below before after across along toward towards via per out off up down near around
    i me my we us our you your he him his she her it its they them their itself themselves
    be am is are was were been being have has had having do does did done doing
    can could may might must shall should will would cannot
    here there all any each every few more most other others some many much several no not only same own
    also very too just however therefore thus hence again further once
    use uses using used`,
  de: `der die das den dem des dass daß ein eine einen einem einer eines kein keine keinen keinem keiner keines
    ich du er sie es wir ihr mich dich sich uns euch ihn ihm ihnen mir dir man selbst selber
    mein meine meinen meinem meiner meines dein deine deinen deinem deiner deines sein seine seinen seinem seiner seines
    unser unsere unseren unserem unserer unseres unsern ihre ihren ihrem ihrer ihres euer eure
    dieser diese dieses diesen diesem jener jene jenes jeder jede jedes jeden jedem alle alles allen aller
    und oder aber denn sondern wenn weil als ob falls damit sobald bevor nachdem während
    in im ins an am ans auf aufs bei beim mit nach von vom vor zu zum zur für fürs über unter um aus durch gegen ohne
    bis seit ab wegen zwischen neben hinter gegenüber
    bin bist ist sind seid war waren warst gewesen sei habe hab hast hat habt haben hatte hatten gehabt
    werde wirst wird werden wurde wurden worden kann kannst können könnte konnte muss musst müssen musste
    soll sollst sollen sollte darf darfst dürfen durfte will willst wollen wollte mag möchte möchten
    viel viele gibt
    nicht nur auch noch schon mal nochmal eigentlich denn doch eben halt ja nein bitte da dann dort hier so sehr
    daran darauf darin davon dazu dafür dabei danach darüber heißt heißen lautet`,
};

/** As they are written and as they are compared: "für" is "fuer", too. */
const withQuestionWords = (language: Language) => {
  const words = [...LISTS[language].split(/\s+/u), ...QUESTION_WORDS[language]];
  return new Set([...words, ...words.map(fold)]);
};

/**
 * Words that say nothing about the subject of a text. Those of English shape the index: after a change, raise
 * `ANALYSIS_VERSION`.
 */
export const STOP_WORDS: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: withQuestionWords('en'),
  de: withQuestionWords('de'),
};
